/** The skills that wait for the owner, and those that are served. `test/host/console/skills.test.tsx` covers it. @module */

import type { ShownSkill } from '#core/owner/answers/skills.ts'
import { SKILL_ACTS } from '../approved/acts.ts'
import { FolderList, type ListCardProps } from '../approved/folder-list.tsx'
import { revision } from '../connect/connection.ts'
import { waitingList } from '../drafts/waiting-list.ts'
import { sendAct } from '../owner/send-act.ts'
import { useLoad } from '../ui/load.ts'
import { SkillCard } from './skill-card.tsx'

/** Loads the skills of a workspace; again when a file changes, or their number does. */
export const useSkills = (base: string) =>
  useLoad(
    async (signal) => {
      const { left, skills } = await sendAct(base, 'list_skills', { signal })
      return { left, rows: skills }
    },
    [base, revision.value, waitingList.value?.skills],
  )

/** Lists the skills. `base` is the URL of the workspace, without a slash at its end. */
export function SkillApprovals({ base }: { readonly base: string }) {
  return (
    <FolderList
      base={base}
      title="Skills"
      acts={SKILL_ACTS}
      listed={useSkills(base)}
      card={(props: ListCardProps<ShownSkill>) => <SkillCard {...props} />}
    />
  )
}
