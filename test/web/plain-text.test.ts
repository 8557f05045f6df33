import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText, unescaped } from '../../src/web/plain-text.js';

test('text is kept, markup, scripts, styles and comments are not', () => {
  const html = `<!doctype html><HEAD><title>no</title></HEAD><body>
    <script>if (a < b) document.write("<p>no</p>")</script><STYLE>no</STYLE><!-- <p>no</p> -->
    <h1>Title</h1><p>One &amp; <b>two</b>&nbsp;&#8211; 1 < 2 &#x41;</p><p>three<br>four`;
  expect(plainText(html)).toBe('Title\n\nOne & two – 1 < 2 A\n\nthree\nfour');
});

test.each([
  '<',
  '<p',
  '<script',
  '<script>x',
  '<!-- x',
  '</',
  '<<<<',
  '&#0;',
  '&#99999999;',
  '&x;',
])('what is unfinished breaks nothing: %s', (html) => {
  expect(() => plainText(html)).not.toThrow();
});

test('any text comes out without tags', () => {
  const piece = fc.constantFrom(
    '<b>',
    '</b>',
    '<div x="y">',
    '<script>',
    '</script>',
    '<!--',
    '-->',
    'a',
    ' ',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(plainText(pieces.join(''))).not.toMatch(/<[a-z/!]/);
    }),
  );
});

test('an escape is undone once', () => {
  expect(unescaped('&amp;lt;&LT;&unknown;&#x1F600;')).toBe('&lt;<&unknown;😀');
});
