/** Pages that are much more than they look. Each is given up or cut at a limit, and the next one is read. */
import { gzipSync } from 'node:zlib';
import { serve } from '../../web/support.js';
import { isOk, isRefused, type Area, type Row } from '../table.js';
import { fetching } from './network.js';
import type { ServerResponse } from 'node:http';

const HTML = { 'content-type': 'text/html' };
const LIMITS = { pageLimits: { totalMs: 8_000 }, extractLimits: { timeMs: 3_000 } };

/** What comes back is small or a failure. */
const page = (
  tried: string,
  send: (response: ServerResponse) => void,
  counterpart: string,
  harmless: (response: ServerResponse) => void,
): Row => {
  const fetched = async (attempt: Parameters<Row['attack']>[0], answer: typeof send) => {
    const site = await serve((_, response) => answer(response));
    return fetching(attempt, site.url(), { allowPrivate: [site.host], ...LIMITS });
  };
  return {
    tried,
    attack: async (attempt) => {
      const outcome = await fetched(attempt, send);
      return Buffer.byteLength(outcome.text) < 40_000 && (isOk(outcome) || isRefused(outcome));
    },
    counterpart,
    allowed: async (attempt) => {
      const outcome = await fetched(attempt, harmless);
      return isOk(outcome) && outcome.text.includes('harmless');
    },
  };
};

const packed = (text: Buffer | string, times = 1): Buffer =>
  times === 0 ? Buffer.from(text) : packed(gzipSync(text), times - 1);

const sends =
  (body: Buffer | string, headers: Readonly<Record<string, string>> = HTML) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, headers).end(body);

const endless = (response: ServerResponse): void => {
  response.writeHead(200, HTML);
  const more = (): void => {
    while (!response.destroyed && response.write('<p>more of the same</p>'.repeat(500)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

const GZIP = { ...HTML, 'content-encoding': 'gzip' };
const ZEROS = Buffer.alloc(64 * 1024 * 1024);

export const bombs: Area = {
  area: 'bombs',
  inBoth: false,
  rows: [
    page(
      'gzip of zeros',
      sends(packed(ZEROS), GZIP),
      'a packed page',
      sends(packed('harmless'), GZIP),
    ),
    page(
      'gzip of gzip',
      sends(packed(ZEROS, 2), { ...HTML, 'content-encoding': 'gzip, gzip' }),
      'a plain page',
      sends('harmless'),
    ),
    page(
      'an endless body',
      endless,
      'one of 1 MB',
      sends(`harmless ${'<p>x</p>'.repeat(125_000)}`),
    ),
    page(
      'a million links',
      sends('<a href="/x">x</a>'.repeat(1_000_000)),
      'ten links',
      sends(`<p>harmless ${'<a href="/x">x</a>'.repeat(10)}`),
    ),
    page(
      '200,000 nested elements',
      sends(`${'<div>'.repeat(200_000)}deep`),
      'ten nested elements',
      sends(`${'<div>'.repeat(10)}<p>harmless`),
    ),
    page(
      'an attribute of 10 MB',
      sends(`<p title="${'x'.repeat(10_000_000)}">text</p>`),
      'an attribute',
      sends('<p title="x">harmless</p>'),
    ),
  ],
};
