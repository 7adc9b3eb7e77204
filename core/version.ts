/**
 * The version of Edgewise, as it names itself in every handshake. `package.json` is the source;
 * `test/version.test.ts` compares the two.
 *
 * @module
 */

/** The version in `package.json`. */
export const VERSION = '0.1.0'
