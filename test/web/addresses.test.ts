import fc from 'fast-check';
import { expect, test } from 'vitest';
import { privateRange, reachedAddress } from '../../src/web/addresses.js';

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.251',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:0:10.0.0.1',
  '::127.0.0.1',
  '::8.8.8.8',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '3fff::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'febf::1',
  'ff02::1',
  '100::1',
  '5f00::1',
  'not an address',
  '',
])('%s is not public', (address) => {
  expect(privateRange(address)).not.toBeNull();
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
])('%s is public', (address) => {
  expect(privateRange(address)).toBeNull();
});

const byte = fc.integer({ min: 0, max: 255 });
const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);

test('an IPv4 address is judged alike, however it is wrapped', () => {
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const plain = [a, b, c, d].join('.');
      const wrapped = [
        `::ffff:${plain}`,
        `::ffff:${hex(a, b)}:${hex(c, d)}`,
        `64:ff9b::${plain}`,
        `2002:${hex(a, b)}:${hex(c, d)}::1`,
      ];
      for (const address of wrapped) {
        expect(reachedAddress(address)).toBe(plain);
        expect(privateRange(address)).toBe(privateRange(plain));
      }
    }),
  );
});
