/** Why a transfer is not possible, for the person who asked: what was wrong, where, and what to do. */

export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}

/** Of foreign JSON nothing is known. */
export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
