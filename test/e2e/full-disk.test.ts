import { expect } from 'vitest';
import type { RunResult } from '../../messages/result.js';
import { askAt, modelServer, shell, type TurnFile } from '../support/e2e/model-server.js';
import { eventually } from '../support/e2e/poll.js';
import { onSmallDisk, type SmallMachine } from '../support/e2e/small-machine.js';

const MB = 1_000_000;

interface Listed {
  readonly sessions: readonly {
    readonly id: string;
    readonly state: string;
    readonly pid: number;
    readonly holds: readonly string[];
  }[];
}

/** Two commands leave a mark each; the first one also fills the disk. */
const FILLS: readonly TurnFile[] = [
  { calls: [shell('echo one >> effects; head -c 64M /dev/zero > big')] },
  { calls: [shell('echo two >> effects')] },
  { text: 'Both are there.', times: -1 },
];

async function started(machine: SmallMachine, flags: string): Promise<string> {
  const server = await modelServer(FILLS);
  const flagsOfServer = askAt(server).join(' ');
  const { stdout } = await machine.ouro(
    `start Go. ${flagsOfServer} --sandbox off --allow 'shell(*)' ${flags}`,
  );
  return stdout.trim();
}

async function held(machine: SmallMachine, but = 0): Promise<number> {
  let pid = 0;
  await eventually('a session that is held for its disk', async () => {
    const { sessions } = await machine.json<Listed>('ls');
    const [session] = sessions;
    pid = session?.pid ?? 0;
    return session?.holds.includes('disk') === true && pid !== but && pid !== 0;
  });
  return pid;
}

onSmallDisk(
  'a session that has filled its disk is held, survives a kill, and goes on by itself when there is room',
  24 * MB,
  async (machine) => {
    const id = await started(machine, '');
    const pid = await held(machine);
    expect(await machine.ouro(`send ${id} 'a word from me'`)).toMatchObject({ code: 0 });
    await machine.run(`kill -9 ${pid}`);
    await held(machine, pid);
    expect((await machine.run('cat effects')).stdout).toBe('one');

    await machine.run('rm big');
    const ended = await machine.ouro(`wait ${id}`);
    expect(ended.code).toBe(0);
    expect((await machine.run('cat effects')).stdout).toBe('one\ntwo');
    expect((await machine.ouro(`sessions verify ${id}`)).stdout).toContain('sound');
    const { stdout } = await machine.ouro(`logs ${id} --json`);
    const kinds = stdout.split('\n').map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.filter((kind) => kind === 'tool.intent')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'user.action')).toHaveLength(1);
    expect((await machine.run('ls "$OURO_HOME"/sessions/*/reserve')).code).not.toBe(0);
  },
);

onSmallDisk(
  'a run that nobody watches waits for room as long as it may, and then says how to go on',
  24 * MB,
  async (machine) => {
    const server = await modelServer(FILLS);
    const flags = `--sandbox off --allow 'shell(*)' --max-wait 1s --output-format json`;
    const { code, stdout } = await machine.ouro(`run -p Go. ${askAt(server).join(' ')} ${flags}`);
    expect(code).toBe(1);
    const result = JSON.parse(stdout) as RunResult;
    expect(result).toMatchObject({
      status: 'internal_error',
      reason: expect.stringMatching(/^the disk is full: .*--max-wait.*Free some space/) as string,
      resume_command: expect.stringMatching(/^ouro resume \w{8}$/) as string,
    });
    expect((await machine.run('cat effects')).stdout).toBe('one');
  },
);

onSmallDisk(
  'on a disk that is full nothing is begun, and nothing is left behind',
  12 * MB,
  async (machine) => {
    await machine.run('head -c 64M /dev/zero > big');
    const server = await modelServer(FILLS);
    for (const verb of ['start', 'run -p']) {
      const line = `${verb} Go. ${askAt(server).join(' ')} --sandbox off --allow 'shell(*)'`;
      expect(await machine.ouro(line)).toMatchObject({ code: 1 });
    }
    expect(server.requests).toEqual([]);
    expect((await machine.json<Listed>('ls --all')).sessions).toEqual([]);
    expect((await machine.run('ls "$OURO_HOME"/sessions')).stdout).toBe('');
  },
);
