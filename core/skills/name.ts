/**
 * The name of a skill: that of its folder, the `name` of its frontmatter, and the first part of its addresses.
 *
 * The rule is that of the Agent Skills specification, section "name field". `test/core/skills/name.test.ts` has the table.
 *
 * @module
 */

/** Maximum length of the name of a skill, in characters. */
export const MAX_SKILL_NAME = 64

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Whether a folder can be a skill: small letters, digits and single hyphens between them. */
export const isSkillName = (name: string): boolean =>
  name.length <= MAX_SKILL_NAME && NAME.test(name)
