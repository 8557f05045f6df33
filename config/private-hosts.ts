/** The form in which hosts are named that `web_fetch` may reach although they are private. */
import { isIP } from 'node:net';

export const PRIVATE_HOSTS_FORM =
  'a list of hosts, addresses or ranges such as ["wiki.lan", "10.1.0.0/16", "127.0.0.1:8080"]';
export const PORTS_FORM = 'a list of ports such as [8080, 8443]';

const ENTRY = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/;
const HOST = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

/** A host, an address or a range; with `:port`, for that port alone, IPv6 then in brackets. */
export function isPrivateHost(entry: string): boolean {
  const text = entry.trim().toLowerCase().replace(/\.$/, '');
  const isBareIpv6 = isIP(text.split('/')[0] ?? '') === 6;
  const [, bracketed, plain, port] = ENTRY.exec(isBareIpv6 ? `[${text}]` : text) ?? [];
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) return false;
  const [address = '', bits, ...more] = (bracketed ?? plain ?? '').split('/');
  if (more.length > 0) return false;
  const version = isIP(address);
  if (version === 0) return bits === undefined && HOST.test(address);
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
