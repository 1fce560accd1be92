; Makes the setup program of Windows from the folder that PyInstaller made:
;   iscc /DVersion=1.2.3 /DBundle=..\..\dist\tabletop /DIcon=..\..\made\icons\tabletop.ico tabletop.iss
; Installs for one person without asking for rights, or for all where that is wanted.

#ifndef Version
  #error "name the version: /DVersion=1.2.3"
#endif

[Setup]
AppId={{6B0F4C56-7A1D-4C0B-9E39-5F6D2C1A8E47}
AppName=Tabletop 卓
AppVersion={#Version}
AppPublisher=The authors of Tabletop
DefaultDirName={autopf}\Tabletop
DefaultGroupName=Tabletop
DisableProgramGroupPage=yes
LicenseFile=..\..\LICENSE
OutputBaseFilename=tabletop-{#Version}-windows
OutputDir=..\..\dist
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
Compression=lzma2/ultra64
SolidCompression=yes
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\tabletop.exe
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "ja"; MessagesFile: "compiler:Languages\Japanese.isl"

[CustomMessages]
en.DesktopSign=Put a sign on the desktop
ja.DesktopSign=デスクトップにアイコンを作成する
en.Record=Tabletop game
ja.Record=Tabletopの対局

[Tasks]
Name: "desktopicon"; Description: "{cm:DesktopSign}"; Flags: unchecked

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Tabletop 卓"; Filename: "{app}\tabletop.exe"
Name: "{autodesktop}\Tabletop 卓"; Filename: "{app}\tabletop.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\.tabletop"; ValueType: string; ValueData: "Tabletop.Record"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Tabletop.Record"; ValueType: string; ValueData: "{cm:Record}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Tabletop.Record\DefaultIcon"; ValueType: string; ValueData: "{app}\tabletop.exe,0"
Root: HKA; Subkey: "Software\Classes\Tabletop.Record\shell\open\command"; ValueType: string; ValueData: """{app}\tabletop.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\tabletop"; ValueType: string; ValueData: "URL:Tabletop"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\tabletop"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKA; Subkey: "Software\Classes\tabletop\shell\open\command"; ValueType: string; ValueData: """{app}\tabletop.exe"" ""%1"""

[Run]
Filename: "{app}\tabletop.exe"; Description: "{cm:LaunchProgram,Tabletop}"; Flags: nowait postinstall skipifsilent
