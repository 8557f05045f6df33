/** Paths that lead elsewhere than they look. */
import { mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isOk, isRefused, type Area, type Row } from '../table.js';
import type { Ground } from '../ground.js';

type PathOf = string | ((ground: Ground) => string);
const pathOn = (path: PathOf, ground: Ground): string =>
  typeof path === 'string' ? path : path(ground);

/** Both sides read a file. */
const reading = (tried: string, path: PathOf, counterpart: string, name: string): Row => ({
  tried: `reading ${tried}`,
  attack: async ({ ground }) => {
    const on = await ground();
    mkdirSync(join(on.workspace, 'inner'));
    symlinkSync('/proc/self', join(on.workspace, 'inner', 'self'));
    return isRefused(await on.run('read_file', { path: pathOn(path, on) }));
  },
  counterpart,
  allowed: async ({ ground }) => {
    const on = await ground();
    on.put(name, 'as it was\n');
    const read = await on.run('read_file', { path: name });
    return isOk(read) && read.text.includes('as it was');
  },
});

/** Both sides write a new file. */
const writing = (tried: string, path: PathOf, counterpart: string, name: string): Row => ({
  tried: `writing ${tried}`,
  attack: async ({ ground }) => {
    const on = await ground();
    mkdirSync(join(on.workspace, '.git', 'hooks'), { recursive: true });
    const args = { path: pathOn(path, on), content: 'x\n' };
    return isRefused(await on.run('write_file', args));
  },
  counterpart,
  allowed: async ({ ground }) => {
    const on = await ground();
    mkdirSync(join(on.workspace, 'real'));
    symlinkSync('real', join(on.workspace, 'linked'));
    const wrote = await on.run('write_file', { path: name, content: 'new\n' });
    return isOk(wrote) && readFileSync(join(on.workspace, name), 'utf8') === 'new\n';
  },
});

/** A tool that walks is pointed at a place outside. */
const searching = (tool: string, args: object, counterpart: object): Row => ({
  tried: `${tool} ${JSON.stringify(args)}`,
  attack: async ({ ground }) => {
    const { status, text } = await (await ground()).run(tool, args);
    return status !== 'ok' || !text.includes('secret.txt');
  },
  counterpart: `${tool} ${JSON.stringify(counterpart)}`,
  allowed: async ({ ground }) => {
    const on = await ground();
    on.put('deep/found.txt', 'a needle\n');
    const found = await on.run(tool, counterpart);
    return isOk(found) && found.text.includes('found.txt');
  },
});

const DENY = { deny: ['read_file(private/*)'] };

/** A rule closes a folder; the same file under another name. */
const denied = (tried: string, tool: string, args: object): Row => ({
  tried: `a denied file ${tried}`,
  attack: async ({ ground }) => {
    const on = await ground({ rules: DENY });
    on.put('private/key', 'the-closed-value\n');
    symlinkSync('private', join(on.workspace, 'alias'));
    const { text } = await on.run(tool, args);
    return !text.includes('the-closed-value');
  },
  counterpart: 'its neighbour under that rule',
  allowed: async ({ ground }) => {
    const on = await ground({ rules: DENY });
    on.put('public/key', 'the-open-value\n');
    const open = JSON.parse(JSON.stringify(args).replaceAll(/private|alias/gi, 'public')) as object;
    return (await on.run(tool, open)).text.includes('the-open-value');
  },
});

const race: Row = {
  tried: 'reading through a link that is swapped all the time',
  attack: async ({ ground }) => {
    const on = await ground();
    const [link, spare] = [join(on.workspace, 'swapped'), join(on.workspace, 'spare')];
    symlinkSync(join(on.workspace, 'notes.txt'), link);
    symlinkSync(join(on.outside, 'secret.txt'), spare);
    const over = new AbortController();
    const swapping = (async () => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const third = join(on.workspace, `third-${n % 2}`);
        renameSync(link, third);
        renameSync(spare, link);
        renameSync(third, spare);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let n = 0; n < 150; n += 1) await on.run('read_file', { path: 'swapped' });
    over.abort();
    await swapping;
    return true;
  },
  counterpart: 'reading a file that is replaced all the time',
  allowed: async ({ ground }) => {
    const on = await ground();
    for (let n = 0; n < 20; n += 1) {
      on.put('next', `text ${n}\n`);
      renameSync(join(on.workspace, 'next'), join(on.workspace, 'current'));
      const { text } = await on.run('read_file', { path: 'current' });
      if (!text.includes(`text ${n}`)) return false;
    }
    return true;
  },
};

export const paths: Area = {
  area: 'path',
  inBoth: false,
  rows: [
    reading('../', '../outside/secret.txt', '..notes.txt', '..notes.txt'),
    reading('an absolute path', (on) => join(on.outside, 'secret.txt'), 'a b', 'a b.txt'),
    reading('a sibling', (on) => `${on.workspace}-evil/secret.txt`, 'quotes', `it's "so".txt`),
    reading('a link to a file', 'file-link', 'a newline', 'two\nlines.txt'),
    reading('below a link', 'folder-link/secret.txt', 'emoji', 'ü🙂.txt'),
    reading('the environment', '/proc/self/environ', 'environ', 'environ'),
    reading('it behind a link', 'inner/self/environ', 'a folder proc', 'proc/self/environ'),
    reading('a NUL', 'notes.txt\0.png', 'a percent sign', 'a%00b.txt'),
    reading('5,000 characters', 'x'.repeat(5_000), '200 characters', 'x'.repeat(200)),
    reading('the home folder', '~/.ssh/id', 'a tilde', '~/.ssh/known'),
    reading("ouro's home", (on) => join(on.ouroHome, '.env'), 'another .env', '.env'),
    writing('../', '../outside/made.txt', '..made.txt', '..made.txt'),
    writing(
      'a new folder below a link',
      'folder-link/new/leaf.txt',
      'an inner link',
      'linked/leaf',
    ),
    writing('over a link to a file', 'file-link', 'a new file', 'file-link-2'),
    writing('a hook', '.git/hooks/pre-commit', 'hooks elsewhere', 'src/hooks/pre-commit'),
    writing('a hook in capitals', '.GIT/Hooks/pre-commit', 'a name like it', '.github/x.yml'),
    writing('an editor task', '.VSCode/Tasks.json', 'a task list', 'tasks.json'),
    writing('a start-up file', 'sub/.BashRC', 'a name like it', 'bashrc.md'),
    writing('the configuration', '.Ouro/Config.toml', 'another one', 'conf/config.toml'),
    searching('list_dir', { path: '..' }, { path: 'deep' }),
    searching('list_dir', { path: 'folder-link' }, { path: '.', depth: 2 }),
    searching('find_files', { pattern: '../**/*.txt' }, { pattern: '**/*.txt' }),
    searching('find_files', { pattern: 'folder-link/*' }, { pattern: 'deep/*' }),
    searching('grep', { pattern: '.', path: '../outside' }, { pattern: 'needle', path: 'deep' }),
    searching('grep', { pattern: 'notes-of' }, { pattern: 'needle' }),
    denied('with ./', 'read_file', { path: './private/key' }),
    denied('with ..', 'read_file', { path: 'private/../private//key' }),
    denied('in capitals', 'read_file', { path: 'PRIVATE/key' }),
    denied('through a link', 'read_file', { path: 'alias/key' }),
    denied('by a command', 'shell', { command: 'cat private/key' }),
    denied('by a command with a wildcard', 'shell', { command: 'cat "private/key"' }),
    denied('by a search there', 'grep', { pattern: 'value', path: 'private', mode: 'content' }),
    denied('by a search above', 'grep', { pattern: '-value', mode: 'content' }),
    race,
  ],
};
