/** The place where sessions are kept cannot be used as it is; the message says why and what to do. */
export class PlaceUnusable extends Error {
  override readonly name = 'PlaceUnusable';
}
