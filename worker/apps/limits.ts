/** Limits of apps from files. `test/worker/apps/limits.test.ts` tests each at its edge. @module */

/** Maximum number of apps that are listed beside those with a decision; who wrote their files takes turns. */
export const MAX_APPS = 32

/** Maximum number of folders in `/.apps`, and of manifests in `/ui`, that are searched for apps; makers take turns. */
export const MAX_APPS_ENTRIES = 10_000

/** Maximum number of folders that are looked into for one list; those that are no apps take no place in it. */
export const MAX_APP_FOLDERS_LOOKED_AT = 1_000

/** Maximum number of files in the folder of an app. */
export const MAX_APP_FILES = 64

/** Maximum number of folders in the folder of an app. */
export const MAX_APP_FOLDERS = 64

/** Maximum size of the page of an app in bytes. */
export const MAX_APP_PAGE_BYTES = 1024 * 1024

/** Maximum number of pages of templates that are kept filled. */
export const MAX_KEPT_PAGES = 16

/** Maximum size of `app.json` in bytes. */
export const MAX_MANIFEST_BYTES = 64 * 1024

/** Maximum depth of the lists and objects of `app.json`, itself included. */
export const MAX_MANIFEST_DEPTH = 32

/** Maximum number of problems of `app.json` that are reported at once. */
export const MAX_MANIFEST_PROBLEMS = 20

/** Maximum length, in UTF-16 code units, of the pointer and of the message of a problem; the rest is cut. */
export const MAX_PROBLEM_LENGTH = 500

/** Maximum number of origins in each list of `meta.csp`. */
export const MAX_APP_ORIGINS = 50

/** Maximum number of patterns in `data`, and in `write`. */
export const MAX_APP_PATTERNS = 16

/** Maximum number of files that one call of an app returns. */
export const MAX_APP_DATA_FILES = 100

/** Maximum size in bytes of the texts that one call of an app returns; larger files come without their text. */
export const MAX_APP_DATA_BYTES = 64 * 1024

/** Maximum size in bytes of the part of one file that the page of an app reads with one call. */
export const MAX_APP_PART_BYTES = 512 * 1024

/** Maximum number of paths that one call of an app compares with its patterns. */
export const MAX_APP_DATA_PATHS = 20_000
