/**
 * Files that run code later, when somebody opens an editor, a shell or a repository: writing one is a way to
 * run a command without asking. Compared without case and without invisible characters, since some file
 * systems do so too.
 */

const SHELL_START =
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc config.fish';
const TOOL_START = '.gitmodules .gitconfig .mcp.json .npmrc .yarnrc .yarnrc.yml .envrc';

/** Anywhere in the workspace. */
const NAMES = new Set(`${SHELL_START} ${TOOL_START}`.split(' '));
/** With their folder, anywhere in the workspace. Editor settings can name programs to start. */
const TAILS = [
  '.vscode/tasks.json',
  '.vscode/launch.json',
  '.vscode/settings.json',
  '.ouro/config.toml',
];
/** Everything below, and the name itself: a file `.git` names the folder that holds the hooks. */
const FOLDERS = new Set(['.git']);
const FOLDER_TAILS = ['.idea/runconfigurations'];

/** `path` is relative to the workspace. */
export function isProtected(path: string): boolean {
  const parts = folded(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const name = parts.at(-1) ?? '';
  if (NAMES.has(name) || parts.some((part) => FOLDERS.has(part))) return true;
  const whole = `/${parts.join('/')}`;
  return (
    TAILS.some((tail) => whole.endsWith(`/${tail}`)) ||
    FOLDER_TAILS.some((tail) => `${whole}/`.includes(`/${tail}/`))
  );
}

const folded = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
