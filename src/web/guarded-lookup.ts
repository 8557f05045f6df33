/**
 * Resolves a name for one connection and judges what it resolves to. The addresses that are judged are the
 * ones the connection is made to, so that a name whose answer changes gains nothing.
 */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Every address of a name. Rejects when there is none. */
export type Resolver = (host: string) => Promise<readonly LookupAddress[]>;

/** The connection must not be made; travels through the socket as its error. */
export class Refusal extends Error {}

export const systemResolver: Resolver = async (host) => {
  const { lookup } = await import('node:dns/promises');
  return lookup(host, { all: true });
};

/** One address that must not be reached refuses the name: an honest one has no such answers. */
export const guardedLookup =
  (resolve: Resolver, refusal: (address: string) => string | null): LookupFunction =>
  (host, options, callback) => {
    const judged = async (): Promise<readonly LookupAddress[]> => {
      const addresses = await resolve(host);
      for (const { address } of addresses) {
        const reason = refusal(address);
        if (reason !== null) throw new Refusal(reason);
      }
      return addresses;
    };
    judged().then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(notFound(host), '');
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (reason: unknown) => callback(reason instanceof Error ? reason : notFound(host), ''),
    );
  };

const notFound = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
