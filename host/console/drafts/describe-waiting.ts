/** What waits for the person, in words. `test/host/console/waiting.test.ts` tests it. @module */

import { joinWords } from '#core/join-words.ts'
import { formatCount } from '../ui/format.ts'
import type { DraftSummary, WaitingList } from '#core/owner/answers/drafts.ts'

/** Says what waits, by kind: "2 changes and 1 access request wait for you". */
export function describeWaiting({ waiting, requests, apps, skills }: WaitingList): string {
  const changes = waiting - requests - apps - skills
  const kinds = [
    changes > 0 ? [formatCount(changes, 'change')] : [],
    requests > 0 ? [formatCount(requests, 'access request')] : [],
    apps > 0 ? [formatCount(apps, 'app')] : [],
    skills > 0 ? [formatCount(skills, 'skill')] : [],
  ].flat()
  return `${joinWords(kinds)} ${waiting === 1 ? 'waits' : 'wait'} for you`
}

/** Returns the only draft if nothing else waits, or null. */
export function onlyDraftOf({ waiting, drafts }: WaitingList): DraftSummary | null {
  const [first] = drafts
  return first !== undefined && first.changes === waiting ? first : null
}
