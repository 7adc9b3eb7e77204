/**
 * Limits of sign-in and of the OAuth endpoints, which anyone may call.
 * `test/platform/auth/limits.test.ts` and `test/worker/auth/access-token.test.ts` test them.
 *
 * @module
 */

/** Maximum size, in bytes, of a form or a registration that an OAuth endpoint reads. */
export const MAX_OAUTH_BODY_BYTES = 16 * 1024

/** Maximum size, in bytes, of the form that signs in. */
export const MAX_SIGN_IN_BODY_BYTES = 64 * 1024

/**
 * Maximum size, in bytes, of the form that answers the consent page: each row may name its path twice, percent-encoded.
 */
export const MAX_CONSENT_BODY_BYTES = 1024 * 1024

/** Maximum length, in UTF-16 code units, of a secret that is compared with the owner's. */
export const MAX_SECRET_LENGTH = 1_000

/** Maximum length of the owner's e-mail address (RFC 5321, section 4.5.3.1.3); a longer one is not recorded. */
export const MAX_EMAIL_LENGTH = 254

/** Maximum length, in UTF-16 code units, of a client's name on the consent page; the rest is cut. */
export const MAX_CLIENT_NAME_LENGTH = 80

/** Maximum number of origins with an authorization server in memory; a Worker has few. */
export const MAX_ORIGINS = 10

/** Maximum number of addresses whose attempts are counted one by one. */
export const MAX_ADDRESSES = 10_000

/** Maximum length, in bytes, of the name of a row in the key-value store, as the platform has it. */
export const MAX_STORED_NAME_BYTES = 512
