/** A workspace with links, a folder outside of it, an `$OURO_HOME`, and a judge over them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PermissionJudge, Verdict } from '../../actors/ports.js';
import { createJudge, type JudgeOptions } from '../../src/permissions/judge.js';

interface Ground {
  readonly root: string;
  readonly workspace: string;
  readonly ouroHome: string;
  readonly remove: () => void;
}

export function makeGround(): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'judge-')));
  const workspace = join(root, 'work');
  const ouroHome = join(root, '.ouro');
  for (const folder of ['src/deep', '.git/hooks', 'a b'])
    mkdirSync(join(workspace, folder), { recursive: true });
  mkdirSync(join(root, 'work-sibling'));
  mkdirSync(ouroHome);
  for (const file of ['a.txt', 'src/b.ts', '..notes.txt', "it's.txt", 'a b/ü 🙂.txt'])
    writeFileSync(join(workspace, file), 'text\n');
  writeFileSync(join(root, 'secret.txt'), 'secret\n');
  writeFileSync(join(root, 'work-sibling/x'), 'x\n');
  writeFileSync(join(ouroHome, 'config.toml'), '');
  symlinkSync(join(workspace, 'a.txt'), join(workspace, 'inside-link'));
  symlinkSync(root, join(workspace, 'outside-link'));
  symlinkSync('.git/hooks', join(workspace, 'hooks-link'));
  symlinkSync(join(ouroHome), join(workspace, 'home-link'));
  symlinkSync(join(root, 'secret.txt'), join(workspace, '-nb'));
  symlinkSync('loop', join(workspace, 'loop'));
  return { root, workspace, ouroHome, remove: () => rmSync(root, { recursive: true }) };
}

export function judgeOf(ground: Ground, options: Partial<JudgeOptions> = {}): PermissionJudge {
  const { workspace, ouroHome } = ground;
  const created = createJudge({ mode: 'default', allow: [], workspace, ouroHome, ...options });
  if (!created.ok) throw new Error(created.message);
  return created.judge;
}

export const shell = (
  judge: PermissionJudge,
  ground: Ground,
  command: string,
  cwd?: string,
): Verdict =>
  judge.judge({
    tool: 'shell',
    effect: 'execute',
    subject: command,
    cwd: cwd ?? ground.workspace,
  });

export const write = (judge: PermissionJudge, ground: Ground, path: string): Verdict =>
  judge.judge({ tool: 'write_file', effect: 'write', subject: path, cwd: ground.workspace });
