/** Limits of skills. `test/worker/skills/limits.test.ts` tests each at its edge. @module */

/** Maximum number of skills that are listed for the owner beside those with a decision; who wrote their files takes turns. */
export const MAX_SKILLS = 32

/** Maximum number of folders in `/.skills` that are searched for skills; makers take turns. */
export const MAX_SKILLS_ENTRIES = 10_000

/** Maximum number of folders that are looked into for one list; those without `SKILL.md` take no place in it. */
export const MAX_SKILL_FOLDERS_LOOKED_AT = 1_000

/** Maximum number of files of a skill (`io.modelcontextprotocol/skills`, section Limits). */
export const MAX_SKILL_FILES = 512

/** Maximum number of folders in the folder of a skill. */
export const MAX_SKILL_FOLDERS = 512

/** Maximum size in bytes of all files of a skill (`io.modelcontextprotocol/skills`, section Limits). */
export const MAX_SKILL_BYTES = 16 * 1024 * 1024

/** Maximum size of `SKILL.md` in bytes. */
export const MAX_SKILL_FILE_BYTES = 256 * 1024

/** Maximum size of the frontmatter of `SKILL.md` in bytes. */
export const MAX_FRONTMATTER_BYTES = 16 * 1024

/** Maximum depth of the lists and maps of the frontmatter, itself included. */
export const MAX_FRONTMATTER_DEPTH = 16

/** Maximum length of the `description` of a skill, in characters (Agent Skills specification). */
export const MAX_SKILL_DESCRIPTION = 1_024

/** Maximum length of the `compatibility` of a skill, in characters (Agent Skills specification). */
export const MAX_SKILL_COMPATIBILITY = 500

/** Maximum number of problems of a skill that are reported at once. */
export const MAX_SKILL_PROBLEMS = 20

/** Maximum size in bytes, as JSON, of a page of `skills/list`; one skill is never split, so it may be larger alone. */
export const MAX_SKILLS_PAGE_BYTES = 256 * 1024

/** Maximum number of skills and prompts of one page. */
export const SKILLS_PAGE = 100

/** Maximum number of tokens by which skills make the instructions of the server longer. */
export const MAX_SKILL_TOKENS = 60
