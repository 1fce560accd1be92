; The setup program for Windows: for one person, without administrator's rights.
;   makensis -DVERSION=1.2.3 -DBUNDLE=folder -DFILES=folder -DICON=tabletop.ico -DPICTURE=setup.bmp \
;     -DOUT=setup.exe tabletop.nsi
; FILES has what `file_commands.py` made of BUNDLE.
; Silent with /S, into another folder with /D=C:\folder (last, without quotes), with an icon on the
; desktop with /DESKTOP. It exits with 2, and changes nothing, while the program is running or a file of it
; can't be replaced, on a Windows that is too old, and in a folder with files of others. Setup keeps
; matches and settings of an older version, and removes it from another folder (silent setup always does);
; the uninstaller leaves matches alone, with all that opens them, and what belongs to a copy elsewhere.

Unicode true
!ifdef NSIS_WIN32_MAKENSIS
  !define SLASH "\"
!else
  !define SLASH "/"
!endif
Target amd64-unicode ; 64-bit as the program, and as a Wine without 32-bit parts needs it
!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WinVer.nsh

!define MOST_TRIES 100
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tabletop"
!define CLASSES "Software\Classes"
!define DATA "$LOCALAPPDATA\Tabletop"
!define OLDEST_BUILD 17763 ; Windows 10 1809, as Qt needs it

Name "Tabletop" ; the titles of its windows: any system can show it
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Tabletop"
InstallDirRegKey HKCU "${KEY}" InstallLocation
RequestExecutionLevel user
SetCompressor /SOLID lzma
SetCompressorDictSize 64
ManifestDPIAware true
BrandingText "Tabletop ${VERSION}"
ShowInstDetails nevershow
ShowUninstDetails nevershow
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Tabletop" ; the titles of its windows: any system can show it
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Tabletop setup"
VIAddVersionKey CompanyName "The authors of Tabletop"
VIAddVersionKey LegalCopyright "MIT licence"

Var Registered ; the folder of the copy that the system lists
Var Older ; "1" where that is another folder, and its copy is to be removed
Var Ours ; "1" where the folder has a copy of this program

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\tabletop.exe"
!define MUI_FINISHPAGE_RUN_TEXT "$(Start)"
!define MUI_FINISHPAGE_SHOWREADME
!define MUI_FINISHPAGE_SHOWREADME_NOTCHECKED
!define MUI_FINISHPAGE_SHOWREADME_TEXT "$(DesktopIcon)"
!define MUI_FINISHPAGE_SHOWREADME_FUNCTION AddDesktopIcon
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE CheckFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE Japanese

LangString Start ${LANG_ENGLISH} "Start Tabletop"
LangString Start ${LANG_JAPANESE} "Tabletop を起動する"
LangString DesktopIcon ${LANG_ENGLISH} "Put an icon on the desktop"
LangString DesktopIcon ${LANG_JAPANESE} "デスクトップにアイコンを作成する"
LangString Running ${LANG_ENGLISH} "Tabletop is running. Close it, then choose Retry."
LangString Running ${LANG_JAPANESE} "Tabletop が起動しています。終了してから［再試行］を押してください。"
LangString TooOld ${LANG_ENGLISH} "Tabletop needs Windows 10 version 1809 or later."
LangString TooOld ${LANG_JAPANESE} "Tabletop を使うには Windows 10（バージョン1809）以降が必要です。"
LangString InUse ${LANG_ENGLISH} "Another program is using files of Tabletop. Close it, then choose Retry."
LangString InUse ${LANG_JAPANESE} "ほかのプログラムが Tabletop のファイルを使っています。終了してから［再試行］を押してください。"
LangString NotWritten ${LANG_ENGLISH} "Some files of Tabletop can't be written. Is the disk full? The version that was there is unchanged."
LangString NotWritten ${LANG_JAPANESE} "Tabletop のファイルを書き込めません。ディスクの空き容量を確かめてください。元のバージョンはそのまま残っています。"
LangString NotEmpty ${LANG_ENGLISH} "This folder already has other files:$\n$INSTDIR$\n$\nInstall Tabletop among them?"
LangString NotEmpty ${LANG_JAPANESE} "このフォルダーには、ほかのファイルがあります。$\n$INSTDIR$\n$\nこの中にインストールしますか？"
LangString Older ${LANG_ENGLISH} "Tabletop is already installed in another folder:$\n$Registered$\n$\nRemove it there? Matches and settings stay."
LangString Older ${LANG_JAPANESE} "Tabletop は、別のフォルダーにインストールされています。$\n$Registered$\n$\nそちらを削除しますか？ 対局と設定は残ります。"
LangString Record ${LANG_ENGLISH} "Tabletop match"
LangString Record ${LANG_JAPANESE} "Tabletop の対局"
LangString Game ${LANG_ENGLISH} "Tabletop card game to add"
LangString Game ${LANG_JAPANESE} "Tabletop に加えるゲーム"

!macro Refuse TEXT
  MessageBox MB_OK|MB_ICONSTOP "${TEXT}" /SD IDOK
  SetErrorLevel 2
  Quit
!macroend

; A program that is running can't be opened for writing.
!macro WaitUntilClosed FOLDER PROGRAM
  ${DoWhile} ${FileExists} "${FOLDER}\${PROGRAM}"
    ClearErrors
    FileOpen $0 "${FOLDER}\${PROGRAM}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${ExitDo}
    ${EndIf}
    ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" /SD IDCANCEL IDCANCEL`
      SetErrorLevel 2
      Quit
    ${EndIf}
  ${Loop}
!macroend

; A folder with a library that is in use can't be renamed.
!macro SetAside FOLDER
  ${DoWhile} ${FileExists} "${FOLDER}\_internal\*.*"
    RMDir /r "${FOLDER}\_internal.old"
    ClearErrors
    Rename "${FOLDER}\_internal" "${FOLDER}\_internal.old"
    ${IfNot} ${Errors}
      ${ExitDo}
    ${EndIf}
    ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(InUse)" /SD IDCANCEL IDCANCEL`
      SetErrorLevel 2
      Quit
    ${EndIf}
  ${Loop}
!macroend

!macro RemoveProgram FOLDER
  RMDir /r "${FOLDER}\_internal"
  RMDir /r "${FOLDER}\_internal.old"
  Delete "${FOLDER}\tabletop.exe"
  Delete "${FOLDER}\tabletop-console.exe"
  Delete "${FOLDER}\LICENSE"
  Delete "${FOLDER}\CHANGELOG.md"
  ; The uninstaller that has started this copy of itself may not have ended yet.
  ${ForEach} $0 1 ${MOST_TRIES} + 1
    Delete "${FOLDER}\uninstall.exe"
    ${IfNot} ${FileExists} "${FOLDER}\uninstall.exe"
      ${ExitFor}
    ${EndIf}
    Sleep 100
  ${Next}
  RMDir "${FOLDER}" ; only if nothing else is in it
!macroend

Function .onInit
  ${IfNot} ${AtLeastBuild} ${OLDEST_BUILD}
    !insertmacro Refuse "$(TooOld)"
  ${EndIf}
  ReadRegStr $Registered HKCU "${KEY}" InstallLocation
FunctionEnd

; Whether the folder may be taken: it is empty, it has a copy of this program, or the person agrees.
Function CheckFolder
  StrCpy $Ours ""
  ${If} ${FileExists} "$INSTDIR\tabletop.exe" ; a copy
  ${AndIf} ${FileExists} "$INSTDIR\_internal\*.*"
    StrCpy $Ours "1"
    Return
  ${EndIf}
  ${DirState} "$INSTDIR" $0
  ${If} $0 == 1
  ${AndIf} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(NotEmpty)" /SD IDNO IDNO`
    SetErrorLevel 2
    ${If} ${Silent}
      Quit
    ${EndIf}
    Abort ; back to the page
  ${EndIf}
FunctionEnd

Function AddDesktopIcon
  CreateShortcut "$DESKTOP\Tabletop 卓.lnk" "$INSTDIR\tabletop.exe"
FunctionEnd

Section
  SetDetailsPrint none
  ${If} ${Silent}
    Call CheckFolder
  ${EndIf}
  SetErrorLevel 0
  !insertmacro WaitUntilClosed "$INSTDIR" tabletop.exe
  !insertmacro WaitUntilClosed "$INSTDIR" tabletop-console.exe
  StrCpy $Older ""
  ${If} $Registered != ""
  ${AndIf} $Registered != "$INSTDIR"
  ${AndIf} ${FileExists} "$Registered\tabletop.exe"
  ${AndIf} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION "$(Older)" /SD IDYES IDYES`
    StrCpy $Older "1"
    !insertmacro WaitUntilClosed "$Registered" tabletop.exe
    !insertmacro WaitUntilClosed "$Registered" tabletop-console.exe
  ${EndIf}
  ${If} $Ours == "1"
    !insertmacro SetAside "$INSTDIR"
  ${EndIf}
  SetOutPath "$INSTDIR"
  ClearErrors
  !include "${FILES}${SLASH}libraries.nsh"
  ${If} ${Errors}
    RMDir /r "$INSTDIR\_internal"
    Rename "$INSTDIR\_internal.old" "$INSTDIR\_internal"
    !insertmacro Refuse "$(NotWritten)"
  ${EndIf}
  !include "${FILES}${SLASH}program.nsh"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} ${Errors}
    !insertmacro Refuse "$(NotWritten)"
  ${EndIf}
  RMDir /r "$INSTDIR\_internal.old"

  ${If} $Older == "1"
    !insertmacro RemoveProgram "$Registered"
  ${EndIf}

  CreateShortcut "$SMPROGRAMS\Tabletop 卓.lnk" "$INSTDIR\tabletop.exe"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DESKTOP" $1
  ${IfNot} ${Errors}
  ${OrIf} ${FileExists} "$DESKTOP\Tabletop 卓.lnk" ; of a copy in another folder
    Call AddDesktopIcon
  ${EndIf}

  WriteRegStr HKCU "${CLASSES}\.tabletop" "" "Tabletop.Record"
  WriteRegStr HKCU "${CLASSES}\.tabletop" "Content Type" "application/x-tabletop"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Record" "" "$(Record)"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Record\DefaultIcon" "" "$INSTDIR\tabletop.exe,0"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Record\shell\open\command" "" '"$INSTDIR\tabletop.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\.tabletop-game" "" "Tabletop.Game"
  WriteRegStr HKCU "${CLASSES}\.tabletop-game" "Content Type" "application/x-tabletop-game"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Game" "" "$(Game)"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Game\DefaultIcon" "" "$INSTDIR\tabletop.exe,0"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Game\shell\open\command" "" '"$INSTDIR\tabletop.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\tabletop" "" "URL:Tabletop"
  WriteRegStr HKCU "${CLASSES}\tabletop" "URL Protocol" ""
  WriteRegStr HKCU "${CLASSES}\tabletop\DefaultIcon" "" "$INSTDIR\tabletop.exe,0"
  WriteRegStr HKCU "${CLASSES}\tabletop\shell\open\command" "" '"$INSTDIR\tabletop.exe" "%1"'
  ${RefreshShellIcons}

  WriteRegStr HKCU "${KEY}" DisplayName "Tabletop" ; the titles of its windows: any system can show it
  WriteRegStr HKCU "${KEY}" DisplayVersion "${VERSION}"
  WriteRegStr HKCU "${KEY}" DisplayIcon "$INSTDIR\tabletop.exe"
  WriteRegStr HKCU "${KEY}" Publisher "The authors of Tabletop"
  WriteRegStr HKCU "${KEY}" InstallLocation "$INSTDIR"
  WriteRegStr HKCU "${KEY}" UninstallString '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" NoModify 1
  WriteRegDWORD HKCU "${KEY}" NoRepair 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${KEY}" EstimatedSize $0
SectionEnd

Section Uninstall
  SetDetailsPrint none
  !insertmacro WaitUntilClosed "$INSTDIR" tabletop.exe
  !insertmacro WaitUntilClosed "$INSTDIR" tabletop-console.exe
  !insertmacro SetAside "$INSTDIR"
  !insertmacro RemoveProgram "$INSTDIR"
  ReadRegStr $Registered HKCU "${KEY}" InstallLocation
  ${If} $Registered != "$INSTDIR"
    Return ; the rest belongs to a copy in another folder
  ${EndIf}
  RMDir /r "${DATA}\Cache"
  RMDir /r "${DATA}\Logs"
  Delete "${DATA}\settings.json*" ; and damaged ones that were set aside
  Delete "${DATA}\agreed.json*"
  Delete "${DATA}\.*.lock"
  ; RMDir removes empty folders only. The key stays: matches that were saved elsewhere are sealed with it.
  RMDir "${DATA}\matches"
  RMDir "${DATA}\replays"
  RMDir "${DATA}\hosted"
  RMDir "${DATA}\trash"
  RMDir "${DATA}\games"
  RMDir "${DATA}\received"
  RMDir "${DATA}"
  Delete "$SMPROGRAMS\Tabletop 卓.lnk"
  Delete "$DESKTOP\Tabletop 卓.lnk"
  ReadRegStr $0 HKCU "${CLASSES}\.tabletop" ""
  ${If} $0 == "Tabletop.Record"
    DeleteRegKey HKCU "${CLASSES}\.tabletop"
  ${EndIf}
  DeleteRegKey HKCU "${CLASSES}\Tabletop.Record"
  ReadRegStr $0 HKCU "${CLASSES}\.tabletop-game" ""
  ${If} $0 == "Tabletop.Game"
    DeleteRegKey HKCU "${CLASSES}\.tabletop-game"
  ${EndIf}
  DeleteRegKey HKCU "${CLASSES}\Tabletop.Game"
  DeleteRegKey HKCU "${CLASSES}\tabletop"
  DeleteRegKey HKCU "${KEY}"
  ${RefreshShellIcons}
SectionEnd
