/**
 * The page of one skill: its card, its text as a reader sees it, and which sessions have it.
 *
 * `test/host/console/skills.test.tsx` covers it.
 *
 * @module
 */

import type { SkillPage as Shown } from '#core/owner/answers/skills.ts'
import { SKILLS_FOLDER, SKILL_FILE } from '#core/skills/uri.ts'
import { SKILL_ACTS } from '../approved/acts.ts'
import { useDecisions } from '../approved/folder-list.tsx'
import { revision } from '../connect/connection.ts'
import { readTextAt } from '../drafts/file-text.ts'
import { UnseenQuestion } from '../drafts/unseen.tsx'
import { waitingList } from '../drafts/waiting-list.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { sendAct } from '../owner/send-act.ts'
import { linkTo } from '../shell/route.ts'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault, PageHead, Waiting } from '../ui/parts.tsx'
import { SkillCard } from './skill-card.tsx'

interface Props {
  readonly base: string
  readonly name: string
}

/** Shows one skill. */
export function SkillPage({ base, name }: Props) {
  const { value, error, reload } = useLoad(
    (signal) => sendAct(base, 'show_skill', { segments: { skill: name }, signal }),
    [base, name, revision.value, waitingList.value?.skills],
  )
  const decisions = useDecisions(base, SKILL_ACTS, reload)
  return (
    <>
      <PageHead title={name}>
        <a href={linkTo(['skills'])}>Skills</a>
      </PageHead>
      {error ? <Fault what="Cannot read the skill" error={error} retry={reload} /> : null}
      {decisions.error ? <Fault what="Cannot decide" error={decisions.error} /> : null}
      {!value && !error && <Waiting />}
      {value && (
        <div class="stack folderapprovals">
          <SkillCard
            base={base}
            row={value}
            isBusy={decisions.isBusy}
            isGone={false}
            decide={decisions.decideOn(value)}
          />
          {value.manifest && <Text base={base} row={value} />}
          <Readers readers={value.readers} />
        </div>
      )}
      <UnseenQuestion />
    </>
  )
}

/** Shows the text after the frontmatter, which the card has. It is of the revision that the card decides on. */
function Text({
  base,
  row: { name, revision: shown },
}: {
  readonly base: string
  readonly row: Shown
}) {
  const path = `${SKILLS_FOLDER}/${name}/${SKILL_FILE}`
  const address = SKILL_ACTS.addressOf(base, name, { path, revision: shown, side: 'after' })
  const { value, error, reload } = useLoad(() => readTextAt(address), [address])
  return (
    <section class="card" aria-labelledby="skill-text">
      <header>
        <h2 id="skill-text">Instructions</h2>
      </header>
      {error ? <Fault what="Cannot read SKILL.md" error={error} retry={reload} /> : null}
      {value !== null && <Markdown source={{ text: bodyOf(value), values: [] }} />}
    </section>
  )
}

/** Returns what follows the second line `---`; the server has checked that there are two. */
function bodyOf(text: string): string {
  const lines = text.split(/\r?\n/)
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line))
  return lines
    .slice(end + 1)
    .join('\n')
    .trim()
}

function Readers({ readers }: Pick<Shown, 'readers'>) {
  return (
    <section class="card" aria-labelledby="skill-readers">
      <header>
        <h2 id="skill-readers">Who may use it</h2>
      </header>
      <p class="faint">
        Sessions that may read all files of the skill. No session gets it before you have approved
        it.
      </p>
      {readers.length === 0 && <p>There are no sessions.</p>}
      <ul class="lines" aria-label="Sessions">
        {readers.map(({ session, label, sees }) => (
          <li key={session} class="row">
            <ClaimedName name={label} />
            <Badge tone={sees ? 'success' : 'plain'}>
              {sees ? 'may use it' : 'may not read it'}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}
