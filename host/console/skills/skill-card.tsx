/**
 * The card of a skill: what its frontmatter declares, its files, and the buttons that decide.
 *
 * `test/host/console/skills.test.tsx` covers it.
 *
 * @module
 */

import { isString, own, type JsonRecord } from '#core/json.ts'
import type { ShownSkill } from '#core/owner/answers/skills.ts'
import { SKILL_ACTS } from '../approved/acts.ts'
import { Fact } from '../approved/fact.tsx'
import { FolderCard } from '../approved/folder-card.tsx'
import type { ListCardProps } from '../approved/folder-list.tsx'
import { Note } from '../ui/parts.tsx'

/** Most fields of a frontmatter that a card shows. */
const MAX_FIELDS = 20

/** Shows a skill, with the buttons that decide on exactly what is shown. */
export function SkillCard(props: ListCardProps<ShownSkill>) {
  const { name, manifest } = props.row
  return (
    <FolderCard {...props} acts={SKILL_ACTS} title={name} manifest="SKILL.md">
      {manifest && <Frontmatter frontmatter={manifest.frontmatter} />}
    </FolderCard>
  )
}

/** Shows the fields that the author wrote: they are claims, and text for a model. */
function Frontmatter({ frontmatter }: { readonly frontmatter: JsonRecord }) {
  const fields = Object.keys(frontmatter).filter((field) => field !== 'name')
  return (
    <>
      <dl class="facts">
        {fields.slice(0, MAX_FIELDS).map((field) => (
          <Fact key={field} name={field} values={[textOf(own(frontmatter, field))]} />
        ))}
      </dl>
      {fields.length > MAX_FIELDS && (
        <p class="small faint">More fields are in SKILL.md, which is among the files.</p>
      )}
      {own(frontmatter, 'allowed-tools') !== undefined && (
        <Note tone="warning" title="It asks for tools without questions.">
          Hosts that follow the protocol ignore this unless you allow it there.
        </Note>
      )}
    </>
  )
}

const textOf = (value: unknown): string => (isString(value) ? value : JSON.stringify(value))
