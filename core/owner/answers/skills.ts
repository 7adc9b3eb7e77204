/** Answers about the skills of a workspace. What a skill declares was written by an agent or a person: it is untrusted. @module */

import { flag, listOf, number, object, record, text, type Decoded } from '../../decode.ts'
import { shownFolder } from './approved.ts'

const skill = shownFolder(object({ frontmatter: record }))

/** A skill that waits for the owner, or that was decided. */
export const shownSkill = object(skill)

/** A skill that waits for the owner, or that was decided. */
export type ShownSkill = Decoded<typeof shownSkill>

/** A session, and whether it may read all files of a skill, which is what serves it to it. */
const reader = object({ session: text, label: text, sees: flag })

/** A skill, with the sessions that are listed. */
export const skillPage = object({ ...skill, readers: listOf(reader) })

/** A skill, with the sessions that are listed. */
export type SkillPage = Decoded<typeof skillPage>

/** The skills in order of their names, the number of those that wait, and of folders that are not listed. */
export const skillList = object({ waiting: number, left: number, skills: listOf(shownSkill) })

/** The skills of a workspace. */
export type SkillList = Decoded<typeof skillList>
