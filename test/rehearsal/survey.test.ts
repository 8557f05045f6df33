import { expect, onTestFinished, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadScenario } from '../../src/rehearsal/load-scenario.js';
import type { Scenario } from '../../src/rehearsal/scenario.js';
import type { RehearsalServer } from '../../src/rehearsal/server.js';
import { Conversation, serverFor, user } from './scripted-conversation.js';

/** The bundled scenario without its pauses, which are for people. */
function survey(): Scenario {
  const loaded = loadScenario('survey');
  if (!loaded.ok) throw new Error(loaded.message);
  const pace = { chunk: 0, delayMs: 0, chunkDelayMs: 0 };
  return { ...loaded.scenario, turns: loaded.scenario.turns.map((turn) => ({ ...turn, pace })) };
}

function workspace(files: Record<string, string>): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'ouro-survey-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, name)), { recursive: true });
    fs.writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Small tools with the program's own result formats, on a real folder. */
class Workbench {
  readonly used: string[] = [];
  readonly discoveries: string[] = [];
  submitted: Record<string, string> = {};
  readonly #read = new Set<string>();
  readonly #folder: string;
  readonly #server: RehearsalServer;
  #subAgents = 0;

  constructor(folder: string, server: RehearsalServer) {
    this.#folder = folder;
    this.#server = server;
  }

  /** Plays an agent until it answers without a call; `afterRound` may put words in between. */
  async play(goal: string, agent: string, afterRound?: (chat: Conversation) => void) {
    const chat = new Conversation(this.#server, goal, agent);
    for (;;) {
      const said = await chat.ask();
      const calls = said.tool_calls ?? [];
      if (calls.length === 0) return { chat, text: said.content ?? '' };
      for (const call of calls) {
        const args = JSON.parse(call.function.arguments) as Record<string, string>;
        this.used.push(`${agent}:${call.function.name}`);
        chat.answer(call, await this.#run(call.function.name, args));
      }
      afterRound?.(chat);
    }
  }

  async #run(name: string, args: Record<string, string>): Promise<string> {
    switch (name) {
      case 'list_dir':
        return [`Absolute path: ${this.#folder}`, ...fs.readdirSync(this.#folder)].join('\n');
      case 'find_files':
        return this.#files().join('\n') || `No files found matching '${args.pattern ?? ''}'`;
      case 'grep':
        return this.#grep(args.mode ?? '');
      case 'read_file':
        return this.#readFile(args.path ?? '');
      case 'write_file':
        return this.#writeFile(args.path ?? '', args.content ?? '');
      case 'shell':
        return `[exit: 0]\n${execFileSync('bash', ['-c', args.command ?? ''], { cwd: this.#folder }).toString()}`;
      case 'delegate': {
        this.#subAgents += 1;
        const id = `sub-${this.#subAgents}`;
        const { text } = await this.play(args.task ?? '', id);
        return `[Sub-agent '${id}' completed] (rounds: 3, tokens: 90)\n${text}`;
      }
      case 'record_discovery':
        this.discoveries.push(args.description ?? '');
        return 'Recorded.';
      case 'submit':
        this.submitted = args;
        return 'Submitted.';
      default:
        return '';
    }
  }

  #files(): string[] {
    return fs
      .readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => fs.statSync(join(this.#folder, name)).isFile());
  }

  #grep(mode: string): string {
    const hits = this.#files().flatMap((name) =>
      fs
        .readFileSync(join(this.#folder, name), 'utf8')
        .split('\n')
        .flatMap((text, index) => (/TODO|FIXME/.test(text) ? [{ name, index, text }] : [])),
    );
    if (hits.length === 0) return 'No matches found.';
    if (mode === 'content') {
      return hits.map(({ name, index, text }) => `${name}:${index + 1}: ${text}`).join('\n');
    }
    return [...new Set(hits.map(({ name }) => name))]
      .map((name) => `${name}: ${hits.filter((hit) => hit.name === name).length}`)
      .join('\n');
  }

  #readFile(path: string): string {
    const file = join(this.#folder, path);
    if (!fs.existsSync(file)) return `Error: there is no file '${path}'`;
    this.#read.add(path);
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line, index) => `L${index + 1}: ${line}`).join('\n');
  }

  #writeFile(path: string, content: string): string {
    const file = join(this.#folder, path);
    if (fs.existsSync(file) && !this.#read.has(path)) return 'Error: read it first.';
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    return `Wrote ${content.trimEnd().split('\n').length} lines to ${path}`;
  }
}

const FILES = {
  'README.md': '# Shop\n\nA small shop.\n',
  'src/cart.ts': '// TODO: taxes\nexport const cart = [];\n',
  'src/pay.ts': 'export {};\n// FIXME: money\n// TODO: refunds\n',
  'logo.bin': '\u0001\u0002',
};

test('the survey reports what is really in the folder', async () => {
  const folder = workspace(FILES);
  const bench = new Workbench(folder, await serverFor(survey()));
  const { text } = await bench.play('Survey this folder.', 'main');
  const report = fs.readFileSync(join(folder, '.ouro/survey.md'), 'utf8');
  expect(report).toContain(`# Survey of ${folder}\n`);
  expect(report).toContain('- Paths listed (at most 200): 4\n');
  expect(report).toContain('- Files with TODO or FIXME: 2\n');
  expect(report).toContain('- First text file: README.md\n- Its first line: # Shop\n');
  expect(report).toContain('- Exit code of `ls -la`: 0\n- Entries it printed: 5\n');
  expect(report).toMatch(/- Folder map: .* has 3 entries at its top level/);
  expect(report).toMatch(
    /- Open tasks: 3 marks found .* the first is src\/cart\.ts:1, and 2 lines/,
  );
  expect(bench.submitted).toMatchObject({ outcome: 'done' });
  expect(bench.submitted.summary).toMatch(
    /4 paths listed, 2 files .* ended with 0\. .*\(read back: 1\d lines\)/,
  );
  expect(bench.discoveries).toHaveLength(2);
  expect(text).toContain('The survey is over. 4 paths were listed, 2 files');
  const tools = ['think', 'list_dir', 'read_file', 'find_files', 'grep', 'delegate', 'shell'];
  for (const tool of [...tools, 'record_discovery', 'write_file', 'submit']) {
    expect(bench.used).toContain(`main:${tool}`);
  }
  expect(bench.used).toEqual(
    expect.arrayContaining(['sub-1:list_dir', 'sub-1:find_files', 'sub-2:grep', 'sub-2:read_file']),
  );
});

test('the survey works in an empty folder, and again beside its own report', async () => {
  const folder = workspace({});
  for (let run = 1; run <= 2; run += 1) {
    const bench = new Workbench(folder, await serverFor(survey()));
    await bench.play('Survey this folder.', 'main');
    expect(bench.submitted).toMatchObject({ outcome: 'done' });
    const report = fs.readFileSync(join(folder, '.ouro/survey.md'), 'utf8');
    expect(report).toContain('- First text file: none\n- Its first line: none was read\n');
  }
});

test('words from a person at any moment neither break the survey nor change its end', async () => {
  const server = await serverFor(survey());
  for (let moment = 1; moment <= 22; moment += 1) {
    const bench = new Workbench(workspace(moment > 11 ? {} : FILES), server);
    let rounds = 0;
    const { chat } = await bench.play('Survey this folder.', 'main', ({ messages }) => {
      rounds += 1;
      if (rounds === ((moment - 1) % 11) + 1) messages.push(user('Please look at README.md'));
    });
    expect(bench.submitted).toMatchObject({ outcome: 'done' });
    chat.messages.push(user('And now something else.'));
    expect(await chat.round()).toContain('The script of this rehearsal is over');
  }
});

test.each([
  ['write_file', /could not be written: Error: no/],
  ['read_file', /could not be verified/],
])('when %s fails the survey submits only a part', async (failing, summary) => {
  const chat = new Conversation(await serverFor(survey()), 'Survey this folder.');
  for (;;) {
    const said = await chat.ask();
    for (const call of said.tool_calls ?? []) {
      const { name } = call.function;
      chat.answer(call, name === failing ? 'Error: no' : 'Wrote 3 lines to it');
      if (name !== 'submit') continue;
      expect(call.function.arguments).toMatch(summary);
      expect(JSON.parse(call.function.arguments)).toMatchObject({ outcome: 'partial' });
      return;
    }
  }
});
