/**
 * The flags of the server, where its rules are shown: they restrict what agents may do, whatever the rules say.
 * `test/pages/console/flags.test.ts` covers it.
 *
 * @module
 */

import { api } from '../connect/workspace.ts'
import { useLoad } from '../ui/load.ts'
import { Note } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'
import { diffConfigs } from './config-diff.ts'

/** Lists the flags; nothing where there are none, or for a server that has no such route. */
export function FlagsNote() {
  const from = api.value
  const { value } = useLoad(async () => (from ? from.flags() : null), [from])
  const flags = value?.ok ? diffConfigs({}, value.value) : []
  if (flags.length === 0) return null
  return (
    <Note title="Flags of the server restrict these rules.">
      Rules that allow more have no effect until the server is started without the flag.
      <ul data-testid="flags">
        {flags.map(({ name, after }) => (
          <li key={name}>
            <Sentence text={name} />: <Sentence text={after} />
          </li>
        ))}
      </ul>
    </Note>
  )
}
