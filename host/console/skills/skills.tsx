/**
 * The page of skills: all of them, or one with its text, its files, who may use it, and what changed since it was approved.
 *
 * `test/host/console/skills.test.tsx` covers it.
 *
 * @module
 */

import type { ShownSkill } from '#core/owner/answers/skills.ts'
import { STATES } from '../approved/folder-card.tsx'
import { basePath } from '../connect/workspace.ts'
import { linkTo, route } from '../shell/route.ts'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { formatCount } from '../ui/format.ts'
import { Badge, Empty, Fault, Note, PageHead, Waiting } from '../ui/parts.tsx'
import { useSkills } from './skill-approvals.tsx'
import { SkillPage } from './skill-page.tsx'

/** Shows one skill, or the list of all. */
export function Skills() {
  const [, name] = route.value.path
  const base = basePath.value
  return name === undefined ? (
    <AllSkills key={base} base={base} />
  ) : (
    <SkillPage key={`${base} ${name}`} base={base} name={name} />
  )
}

/** Lists the skills of a workspace. */
export function AllSkills({ base }: { readonly base: string }) {
  const { value, error, isLoading, reload } = useSkills(base)
  return (
    <>
      <PageHead title="Skills">
        Instructions for agents, in folders below /.skills. An agent gets a skill once you have
        approved it, and no longer after one of its files has changed.
      </PageHead>
      {error ? <Fault what="Cannot read the skills" error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      {value?.rows.length === 0 && (
        <Empty icon="skills" title="No skills">
          A folder /.skills/name with a file SKILL.md is a skill. npm run new-skill makes one.
        </Empty>
      )}
      <ul class="skilllist" aria-label="Skills">
        {value?.rows.map((row) => (
          <li key={row.name}>
            <Line row={row} />
          </li>
        ))}
      </ul>
      {value !== null && value.left > 0 && (
        <Note title={`${formatCount(value.left, 'more folder')} of skills not listed.`}>
          Decide on the skills above or delete their folders to see more.
        </Note>
      )}
    </>
  )
}

function Line({ row }: { readonly row: ShownSkill }) {
  const { name, state, manifest } = row
  const [tone, label] = STATES[state]
  const description = manifest?.frontmatter['description']
  return (
    <article class="card">
      <header class="row">
        <h2>
          <a href={linkTo(['skills', name])}>{name}</a>
        </h2>
        <Badge tone={tone}>{label}</Badge>
      </header>
      {typeof description === 'string' && (
        <p>
          <ClaimedName name={description} />
        </p>
      )}
    </article>
  )
}
