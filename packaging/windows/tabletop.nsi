; The setup program for Windows: for one person, without administrator's rights.
;   makensis -DVERSION=1.2.3 -DBUNDLE=folder -DICON=tabletop.ico -DPICTURE=setup.bmp \
;     -DOUT=setup.exe tabletop.nsi
; Silent with /S, into another folder with /D=C:\folder (last, without quotes), with an icon on the
; desktop with /DESKTOP. It exits with 2, and changes nothing, while the program is running. Setup keeps
; matches and settings of an older version; the uninstaller leaves matches alone, with all that opens them.

Unicode true
!ifdef NSIS_WIN32_MAKENSIS
  !define SLASH "\"
!else
  !define SLASH "/"
!endif
!ifdef TARGET
  Target ${TARGET}
!endif
!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WinVer.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tabletop"
!define CLASSES "Software\Classes"
!define DATA "$LOCALAPPDATA\Tabletop"

Name "Tabletop 卓"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Tabletop"
InstallDirRegKey HKCU "${KEY}" InstallLocation
RequestExecutionLevel user
SetCompressor /SOLID lzma
SetCompressorDictSize 64
ManifestDPIAware true
BrandingText "Tabletop 卓 ${VERSION}"
ShowInstDetails nevershow
ShowUninstDetails nevershow
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Tabletop 卓"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Tabletop setup"
VIAddVersionKey CompanyName "The authors of Tabletop"
VIAddVersionKey LegalCopyright "MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\tabletop.exe"
!define MUI_FINISHPAGE_RUN_TEXT "$(Start)"
!define MUI_FINISHPAGE_SHOWREADME
!define MUI_FINISHPAGE_SHOWREADME_NOTCHECKED
!define MUI_FINISHPAGE_SHOWREADME_TEXT "$(DesktopIcon)"
!define MUI_FINISHPAGE_SHOWREADME_FUNCTION AddDesktopIcon
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
LangString TooOld ${LANG_ENGLISH} "Tabletop needs Windows 10 or later."
LangString TooOld ${LANG_JAPANESE} "Tabletop を使うには Windows 10 以降が必要です。"
LangString Record ${LANG_ENGLISH} "Tabletop match"
LangString Record ${LANG_JAPANESE} "Tabletop の対局"

; A program that is running can't be opened for writing.
!macro WaitUntilClosed PROGRAM
  ${DoWhile} ${FileExists} "$INSTDIR\${PROGRAM}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${PROGRAM}" a
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

!macro RemoveProgram
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\tabletop.exe"
  Delete "$INSTDIR\tabletop-console.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\CHANGELOG.md"
!macroend

Function .onInit
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "$(TooOld)" /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
FunctionEnd

Function AddDesktopIcon
  CreateShortcut "$DESKTOP\Tabletop 卓.lnk" "$INSTDIR\tabletop.exe"
FunctionEnd

Section
  SetDetailsPrint none
  !insertmacro WaitUntilClosed tabletop.exe
  !insertmacro WaitUntilClosed tabletop-console.exe
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}${SLASH}*"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  CreateShortcut "$SMPROGRAMS\Tabletop 卓.lnk" "$INSTDIR\tabletop.exe"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DESKTOP" $1
  ${IfNot} ${Errors}
    Call AddDesktopIcon
  ${EndIf}

  WriteRegStr HKCU "${CLASSES}\.tabletop" "" "Tabletop.Record"
  WriteRegStr HKCU "${CLASSES}\.tabletop" "Content Type" "application/x-tabletop"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Record" "" "$(Record)"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Record\DefaultIcon" "" "$INSTDIR\tabletop.exe,0"
  WriteRegStr HKCU "${CLASSES}\Tabletop.Record\shell\open\command" "" '"$INSTDIR\tabletop.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\tabletop" "" "URL:Tabletop"
  WriteRegStr HKCU "${CLASSES}\tabletop" "URL Protocol" ""
  WriteRegStr HKCU "${CLASSES}\tabletop\DefaultIcon" "" "$INSTDIR\tabletop.exe,0"
  WriteRegStr HKCU "${CLASSES}\tabletop\shell\open\command" "" '"$INSTDIR\tabletop.exe" "%1"'
  ${RefreshShellIcons}

  WriteRegStr HKCU "${KEY}" DisplayName "Tabletop 卓"
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
  !insertmacro WaitUntilClosed tabletop.exe
  !insertmacro WaitUntilClosed tabletop-console.exe
  !insertmacro RemoveProgram
  Delete "$INSTDIR\uninstall.exe"
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
  RMDir "$INSTDIR" ; only if nothing else is in it
  Delete "$SMPROGRAMS\Tabletop 卓.lnk"
  Delete "$DESKTOP\Tabletop 卓.lnk"
  ReadRegStr $0 HKCU "${CLASSES}\.tabletop" ""
  ${If} $0 == "Tabletop.Record"
    DeleteRegKey HKCU "${CLASSES}\.tabletop"
  ${EndIf}
  DeleteRegKey HKCU "${CLASSES}\Tabletop.Record"
  DeleteRegKey HKCU "${CLASSES}\tabletop"
  DeleteRegKey HKCU "${KEY}"
  ${RefreshShellIcons}
SectionEnd
