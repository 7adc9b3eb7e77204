/** Answers about passkeys. Times are in milliseconds since 1970. @module */

import { flag, listOf, number, object, oneOf, orNull, text, type Decoded } from '../../decode.ts'

const passkey = object({
  id: text,
  label: text,
  /** The host name at which browsers use it. */
  host: text,
  created: number,
  used: orNull(number),
  /** When it will be removed; null if that was not requested. */
  removal: orNull(number),
})

/** A passkey. */
export type ShownPasskey = Decoded<typeof passkey>

/** The passkeys, and what the page has to know about the rule and about this address. */
export const passkeyList = object({
  passkeys: listOf(passkey),
  rule: oneOf('none', 'confirm', 'all'),
  /** The host name of this page, as the server has it. */
  host: text,
  /** Whether removing without a passkey asks for the owner's secret. */
  needs_secret: flag,
  /** How long (s) removing without a passkey takes. */
  removal_seconds: number,
})

/** What the server says of passkeys. */
export type PasskeyList = Decoded<typeof passkeyList>
