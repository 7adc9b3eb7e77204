/**
 * ECDSA signatures of authenticators: from DER (`ECDSA-Sig-Value`, RFC 3279, section 2.2.3) to the two numbers one after
 * the other, which WebCrypto takes.
 *
 * The build puts it in the place of a parser for all of ASN.1 in `@simplewebauthn/server`, which is half of that library.
 * `test/worker/passkeys/ecdsa-signature.test.ts` tests it.
 *
 * @module
 */

/** Bytes of a number on the curves P-256, P-384 and P-521, by their numbers in COSE (RFC 9053, section 7.1). */
const NUMBER_BYTES: Readonly<Record<number, number>> = { 1: 32, 2: 48, 3: 66 }

const [SEQUENCE, INTEGER] = [0x30, 0x02]

/** Converts a signature on a curve of COSE; throws if it is malformed. */
export function unwrapEC2Signature(signature: Uint8Array, curve: number): Uint8Array {
  const bytes = NUMBER_BYTES[curve]
  if (bytes === undefined) throw new Error(`Unknown curve ${curve}`)
  const [numbers, afterBoth] = readValue(signature, SEQUENCE)
  const [r, rest] = readValue(numbers, INTEGER)
  const [s, afterS] = readValue(rest, INTEGER)
  if (afterBoth.length > 0 || afterS.length > 0) throw new Error('Bytes follow the signature')
  const raw = new Uint8Array(2 * bytes)
  raw.set(padded(r, bytes))
  raw.set(padded(s, bytes), bytes)
  return raw
}

/** Reads a value with its tag and length (X.690, section 8.1); returns it and what follows. */
function readValue(from: Uint8Array, tag: number): [value: Uint8Array, rest: Uint8Array] {
  const [found, short = 0, long = 0] = from
  if (found !== tag || short > 0x81) throw new Error('The signature is malformed')
  const [start, length] = short === 0x81 ? [3, long] : [2, short]
  if (length > from.length - start) throw new Error('The signature is cut off')
  return [from.subarray(start, start + length), from.subarray(start + length)]
}

/** A number of a fixed size: DER leaves zeros at its start out, or adds one so that it is not negative. */
function padded(number: Uint8Array, size: number): Uint8Array {
  const first = number.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? number.subarray(number.length) : number.subarray(first)
  if (number.length === 0 || digits.length > size) throw new Error('A number has a wrong size')
  const all = new Uint8Array(size)
  all.set(digits, size - digits.length)
  return all
}
