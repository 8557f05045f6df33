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
const FOLDERS = new Set(['.git', '.husky']);
const FOLDER_TAILS = ['.idea/runconfigurations', '.ouro/hooks', '.ouro/prompts'];
/** Moving something into one of these, or one of these away, can put a protected file in its place. */
const HOLDERS = new Set(['.git', '.husky', '.vscode', '.idea', '.ouro']);

/** `path` is relative to the workspace. */
export function isProtected(path: string): boolean {
  // Each of them has a dot, and a command can name thousands of files.
  if (ASCII.test(path) && !path.includes('.')) return false;
  const parts = partsOf(path);
  const name = parts.at(-1) ?? '';
  if (NAMES.has(name) || parts.some((part) => FOLDERS.has(part))) return true;
  const whole = `/${parts.join('/')}`;
  return (
    TAILS.some((tail) => whole.endsWith(`/${tail}`)) ||
    FOLDER_TAILS.some((tail) => `${whole}/`.includes(`/${tail}/`))
  );
}

/** For commands that move and remove whole folders. */
export const holdsProtected = (path: string): boolean =>
  isProtected(path) || partsOf(path).some((part) => HOLDERS.has(part));

const partsOf = (path: string): readonly string[] =>
  folded(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.');

const ASCII = /^[\x20-\x7e]*$/;

export const folded = (path: string): string =>
  ASCII.test(path)
    ? path.toLowerCase()
    : path
        .normalize('NFKC')
        .replace(/\p{Cf}/gu, '')
        .toLowerCase();
