/**
 * The flags of the server, where its rules are shown: they restrict what agents may do, whatever the rules say.
 * `test/pages/console/flags.slow.test.ts` covers it.
 *
 * @module
 */

import { ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { useLoad } from '../ui/load.ts'
import { Note } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'
import { diffConfigs } from './config-diff.ts'
import { sentencesOf } from './config-sentences.ts'
import { Pieces } from './sentence-list.tsx'

/** Lists the flags; nothing where there are none, or for a server that has no such route. */
export function FlagsNote() {
  const base = ownBase.value
  const { value } = useLoad(
    async (signal) => (base === null ? null : sendAct(base, 'read_flags', { signal })),
    [base],
  )
  if (value === null || Object.keys(value).length === 0) return null
  const { roots, ...flags } = value
  const folders = roots === undefined ? [] : sentencesOf({ roots, read_only: flags['read_only'] })
  return (
    <Note title="Flags of the server restrict these rules.">
      Rules that allow more have no effect until the server is started without the flag.
      <ul data-testid="flags">
        {folders
          .filter(({ field }) => field === 'roots')
          .map(({ pieces }, index) => (
            <li key={index}>
              <Pieces pieces={pieces} />
            </li>
          ))}
        {diffConfigs({}, flags).map(({ name, after }) => (
          <li key={name}>
            <Sentence text={name} />: <Sentence text={after} />
          </li>
        ))}
      </ul>
    </Note>
  )
}
