/**
 * The text of the unit that brings sessions back after a reboot, for systemd and for launchd. Pure. Neither
 * ends the sessions when the service itself is stopped or started again: they have a life of their own.
 */
export interface ServiceCommand {
  /** Absolute paths of node and of the program's entry. */
  readonly node: string;
  readonly main: string;
  readonly home: string;
  /** The search path of the person who installs it: a manager's own has few programs. */
  readonly path: string;
  /** There is a program to tell the manager that the service works. */
  readonly notifies: boolean;
}

/**
 * Between two signs of life lie a look every minute, the longest wait for an answer, and one session that is
 * brought back.
 */
const WATCHDOG_SECONDS = 300;

export const UNIT_NAME = 'ouro.service';
export const AGENT_LABEL = 'ouro.service';

/** One word of a systemd command line or assignment; `%` and `$` would be expanded. */
const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

/** An assignment knows no `$`. */
const assigned = (name: string, value: string): string =>
  `"${`${name}=${value}`.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;

/**
 * `KillMode=process`: the default ends every process of the unit with it, the sessions it has started too.
 * A machine that goes down ends them all the same; their journals are on disk.
 */
export const systemdUnit = ({ node, main, home, path, notifies }: ServiceCommand): string => `[Unit]
Description=ouro: brings back the sessions that were running or held

[Service]
ExecStart=${quoted(node)} ${quoted(main)} service run
Environment=${assigned('OURO_HOME', home)}
Environment=${assigned('PATH', path)}
KillMode=process
Restart=on-failure
RestartSec=10
${notifies ? `NotifyAccess=all\nWatchdogSec=${WATCHDOG_SECONDS}\n` : ''}
[Install]
WantedBy=default.target
`;

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const string = (text: string): string =>
  `<string>${text.replace(/[&<>]/g, (found) => XML[found] ?? found)}</string>`;

/** `AbandonProcessGroup`: the counterpart of `KillMode=process`. */
export const launchdAgent = ({
  node,
  main,
  home,
  path,
}: ServiceCommand): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${string(AGENT_LABEL)}
  <key>ProgramArguments</key>
  <array>${[node, main, 'service', 'run'].map(string).join('')}</array>
  <key>EnvironmentVariables</key>
  <dict><key>OURO_HOME</key>${string(home)}<key>PATH</key>${string(path)}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>AbandonProcessGroup</key><true/>
</dict>
</plist>
`;
