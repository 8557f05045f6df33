/**
 * Decides whether a connection may be made, from the address it would really go to. Public addresses on the
 * usual ports may be reached; everything else only where the operator said so.
 */
import { isIP } from 'node:net';
import { blockList, familyOf, privateRange, reachedAddress } from './addresses.js';

export interface GatekeeperOptions {
  /** Each a host, an address or a range such as `10.1.0.0/16`; with `:port`, for that port alone. */
  readonly allowPrivate: readonly string[];
  /** Ports that are open beside 80 and 443. */
  readonly allowPorts: readonly number[];
}

export interface Gatekeeper {
  /** Why the address must not be connected to on behalf of this URL; null: it may be. */
  refusal(url: URL, address: string): string | null;
}

interface Grant {
  readonly port: number | null;
  covers(host: string, address: string): boolean;
}

const USUAL_PORTS: readonly number[] = [80, 443];

/** Throws when an entry is neither a host, an address nor a range: the configuration is checked before. */
export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const grants = options.allowPrivate.map(readGrant);
  const ports = new Set([...USUAL_PORTS, ...options.allowPorts]);
  return {
    refusal(url, address) {
      const host = hostOf(url);
      const port = portOf(url);
      const given = grants.filter(
        (grant) => (grant.port ?? port) === port && grant.covers(host, address),
      );
      if (!ports.has(port) && !given.some((grant) => grant.port === port)) {
        return `port ${port} of ${host} is not open: only 80, 443 and the ports the operator configured are.`;
      }
      const range = privateRange(address);
      if (range === null || given.length > 0) return null;
      const place = host === address ? host : `${host} (${address})`;
      return `${place} is not public, but ${range}. Only public addresses are reached, and those the operator configured.`;
    },
  };
}

/** Without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const portOf = (url: URL): number => {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
};

const GRANT = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/;
const HOST = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;

function readGrant(entry: string): Grant {
  const text = entry.trim().toLowerCase().replace(/\.$/, '');
  const bareIpv6 = isIP(text.split('/')[0] ?? '') === 6;
  const [, bracketed, plain, portText] = GRANT.exec(bareIpv6 ? `[${text}]` : text) ?? [];
  const covers = coverage(bracketed ?? plain ?? '');
  if (covers === null) {
    throw new Error(`"${entry}" is neither a host, an address nor a range such as 10.0.0.0/8`);
  }
  return { port: portText === undefined ? null : Number(portText), covers };
}

function coverage(name: string): Grant['covers'] | null {
  const [address = '', bits] = name.split('/');
  const version = isIP(address);
  if (version === 0) return HOST.test(name) ? (host) => host === name : null;
  const size = version === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= size)) return null;
  const list = blockList(`${address}/${bits ?? size}`);
  return (_, judged) => {
    const reached = reachedAddress(judged);
    return list.check(reached, familyOf(reached));
  };
}
