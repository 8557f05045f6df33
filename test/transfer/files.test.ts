import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../messages/ids.js';
import { findSource } from '../../src/transfer/find-source.js';
import { linesOf } from '../../src/transfer/line-reader.js';
import { uuidOf } from '../../src/transfer/name-uuid.js';
import { claudeTranscript, sanitisedPath } from '../../src/transfer/project-folder.js';
import { TranscriptFilesWriter } from '../../src/transfer/transcript-files.js';
import { tempFolder } from '../store/temp-folder.js';

describe('the folder of a project', () => {
  test('has a name of letters, digits and dashes, one for each character, up to 200', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (path) => {
        const name = sanitisedPath(path);
        expect(name).toMatch(/^[A-Za-z0-9-]*$/);
        expect(name).toHaveLength(path.length);
        for (let i = 0; i < path.length; i += 1) {
          expect(name[i]).toBe(/[A-Za-z0-9]/.test(path[i] ?? '') ? path[i] : '-');
        }
        expect(sanitisedPath(name)).toBe(name);
      }),
    );
  });

  test('that is longer is cut and told apart by a hash', () => {
    const deep = '/deep'.repeat(60);
    const [one, other] = [sanitisedPath(`${deep}/one`), sanitisedPath(`${deep}/other`)];
    expect(one).not.toBe(other);
    expect(one.slice(0, 200)).toBe(other.slice(0, 200));
    expect(one).toMatch(/^-deep-.*-[0-9a-f]{8}$/);
  });

  test('is where Claude Code is configured to look', () => {
    const id = 'an-id' as SessionId;
    const file = 'projects/-home-ann-my-shop/an-id.jsonl';
    expect(claudeTranscript({ HOME: '/home/me' }, '/home/ann/my.shop', id)).toBe(
      `/home/me/.claude/${file}`,
    );
    expect(claudeTranscript({ CLAUDE_CONFIG_DIR: '/c' }, '/home/ann/my.shop', id)).toBe(
      `/c/${file}`,
    );
  });
});

test('the same name has the same uuid, another name another', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  fc.assert(
    fc.property(fc.string(), fc.string(), (session, name) => {
      expect(uuidOf(session, name)).toMatch(form);
      expect(uuidOf(session, name)).toBe(uuidOf(session, name));
      expect(uuidOf(session, name)).not.toBe(uuidOf(session, `${name}.`));
    }),
  );
});

describe('the lines of a file', () => {
  const fileOf = (bytes: string | Buffer): string => {
    const file = join(tempFolder(), 'lines');
    writeFileSync(file, bytes);
    return file;
  };

  test('end at LF and nowhere else, however long the file is', () => {
    const long = 'ü'.repeat(700_000);
    const file = fileOf(`\uFEFFa\u2028b\r\n\n${long}\n${long}`);
    expect([...linesOf(file)].map(({ n, bytes, ended }) => [n, bytes.toString(), ended])).toEqual([
      [1, 'a\u2028b', true],
      [2, '', true],
      [3, long, true],
      [4, long, false],
    ]);
  });

  test('are refused when one is longer than any can be', () => {
    const file = fileOf('12345678901\n');
    expect(() => [...linesOf(file, 10)]).toThrow(/longer than 10 bytes/);
    expect([...linesOf(file, 11)]).toHaveLength(1);
  });
});

describe('a transcript that is written', () => {
  test('goes on in further parts, never within a line, and appears when it is whole', () => {
    const folder = tempFolder();
    const writer = new TranscriptFilesWriter(join(folder, 'id.jsonl'), 20);
    for (const text of ['first line', 'second line', 'x'.repeat(50), 'last'])
      writer.main(Buffer.from(text));
    writer.side('agent-a.jsonl', Buffer.from('beside'));
    expect(readdirSync(folder).filter((name) => name.endsWith('.jsonl'))).toEqual([]);
    const side = join(folder, 'id', 'subagents', 'agent-a.jsonl');
    const files = writer.finish();
    expect(new Set(files)).toEqual(
      new Set([
        side,
        ...['id', 'id_part2', 'id_part3', 'id_part4'].map((name) => join(folder, `${name}.jsonl`)),
      ]),
    );
    expect(readFileSync(join(folder, 'id_part3.jsonl'), 'utf8')).toBe(`${'x'.repeat(50)}\n`);
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(findSource(join(folder, 'id.jsonl'), undefined)).toMatchObject({
      files: { parts: { length: 4 }, side: [side] },
    });
  });

  test('that is abandoned leaves nothing', () => {
    const folder = tempFolder();
    const writer = new TranscriptFilesWriter(join(folder, 'id.jsonl'), 20);
    writer.main(Buffer.from('a'));
    writer.abandon();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('what is to be imported', () => {
  test('from a folder is the only transcript in it, or the newest checkpoint of the only session', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'notes.txt'), '');
    expect(() => findSource(folder, undefined)).toThrow('holds neither');
    for (const n of [3, 12]) writeFileSync(join(folder, `01H8_${n}.json.gz`), '');
    expect(findSource(folder, undefined)).toMatchObject({ file: join(folder, '01H8_12.json.gz') });
    writeFileSync(join(folder, 'a.jsonl'), '');
    expect(() => findSource(folder, undefined)).toThrow(/more than one session.*\n.*a\.jsonl/);
    expect(findSource(folder, 'claude')).toMatchObject({ file: join(folder, 'a.jsonl') });
    writeFileSync(join(folder, 'b.jsonl'), '');
    expect(() => findSource(folder, 'claude')).toThrow(/a\.jsonl\n.*b\.jsonl/);
  });

  test('has to be there, and to be a file', () => {
    const folder = tempFolder();
    expect(() => findSource(join(folder, 'x'), undefined)).toThrow('There is no');
    mkdirSync(join(folder, 'y.jsonl'));
    expect(() => findSource(folder, undefined)).toThrow('is no file');
  });
});
