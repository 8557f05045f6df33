/** Whether sessions are confined here, and a machine like this one on which they are not. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { ouro } from './command-line.js';
import { newPlace, type Place } from './place.js';

/** An environment whose PATH has every program of this machine but bubblewrap. */
export function withoutBubblewrap({ root, env }: Place): Readonly<Record<string, string>> {
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const linked = new Set(['bwrap']);
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    for (const name of namesIn(folder).filter((found) => !linked.has(found))) {
      linked.add(name);
      symlinkSync(join(folder, name), join(bin, name));
    }
  }
  return { PATH: bin };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A test for machines on which bubblewrap works; skipped, with the reason, where it does not. */
export function confined(name: string, body: (place: Place) => Promise<void>): void {
  test(name, async (context) => {
    const place = newPlace();
    const args = ['rehearse', 'rounds', '--sandbox', 'require', '--max-rounds', '1'];
    const { code, stderr } = await ouro(place, args);
    context.skip(code === 44, `no sandbox here: ${stderr}`);
    expect(code).toBe(53);
    await body(newPlace());
  });
}
