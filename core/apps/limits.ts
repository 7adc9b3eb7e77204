/** Limits of the settings of app templates; `test/core/apps/templates.test.ts` checks the edges. @module */

/** Most fields of a form, columns of a table or a board, and options of a field. */
export const MAX_SETTING_ITEMS = 200

/** Most UTF-16 code units of a text in the settings. */
export const MAX_SETTING_LENGTH = 2_000

/** Most problems that are reported at once. */
export const MAX_SETTING_PROBLEMS = 20

/** Largest `expandLevel` of a tree. */
export const MAX_EXPAND_LEVEL = 100
