/** Limits of passkeys. `test/worker/passkeys/passkeys.test.ts` tests them at their edges. @module */

/** Maximum number of passkeys of one workspace. */
export const MAX_PASSKEYS = 20

/** Maximum number of challenges of one workspace that can be answered; beyond it, the act with the most loses its oldest. */
export const MAX_CHALLENGES = 100

/** Maximum age, in seconds, at which a challenge can be answered. */
export const MAX_CHALLENGE_SECONDS = 5 * 60

/** Seconds until a passkey is removed whose removal was not confirmed with a passkey. */
export const MAX_REMOVAL_SECONDS = 24 * 60 * 60

/** Maximum characters of the name of a passkey. */
export const MAX_PASSKEY_LABEL_LENGTH = 80

/** Maximum characters of JSON of the answer of an authenticator. */
export const MAX_PASSKEY_ANSWER_LENGTH = 16_000

/** Maximum characters of the id of a credential in base64url: WebAuthn allows 1,023 bytes. */
export const MAX_CREDENTIAL_ID_LENGTH = 1_364
