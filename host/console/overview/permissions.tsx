/** Permissions of agents, for the overview: the rules in sentences, and the open sessions. @module */

import { ClaimedName } from '../ui/claimed-name.tsx'
import type { JsonRecord } from '#core/json.ts'
import { Badge, Fault, Waiting } from '../ui/parts.tsx'
import { FlagsNote } from '../rules/flags-note.tsx'
import { Pieces, Sentences } from '../rules/sentence-list.tsx'
import { coarseNow } from '../ui/clock.ts'
import { formatAge, formatRemaining, formatCount } from '../ui/format.ts'
import { revision } from '../connect/connection.ts'
import { linkTo } from '../shell/route.ts'
import { firstAndRest, sentencesOf, sessionSentence } from '../rules/config-sentences.ts'
import { features } from '../connect/workspace.ts'
import { useRules } from '../rules/use-rules.ts'
import { useSessions } from '../sessions/sessions.tsx'

/** Shows what agents may do. */
export function Permissions() {
  const config = useRules([revision.value])
  return (
    <>
      <header>
        <h2 id="permissions">Permissions</h2>
        <a href={linkTo(['rules'])}>Edit the rules</a>
      </header>
      {config.error ? (
        <Fault what="Cannot read the rules" error={config.error} retry={config.reload} />
      ) : null}
      {!config.value && config.isLoading && <Waiting />}
      <FlagsNote />
      {config.value && <RuleSentences config={config.value.answer} />}
      {features.value.workspace && <OpenSessions />}
    </>
  )
}

/** Permissions and restrictions as a list, and limits in a paragraph below it. */
function RuleSentences({ config }: { readonly config: JsonRecord }) {
  const [first, rest] = firstAndRest(sentencesOf(config))
  return (
    <>
      <Sentences list={first} />
      <p class="limits">
        {rest.map((sentence, index) => (
          <span key={index}>
            <Pieces pieces={sentence.pieces} />{' '}
          </span>
        ))}
      </p>
    </>
  )
}

const MAX_SHOWN = 4

/** `left` are not listed, so some of them may be over. */
const countSessions = (open: number, left: number) =>
  open + left === 0
    ? 'No open sessions'
    : `${left > 0 ? 'At least ' : ''}${formatCount(open, 'open session')}`

/** The open sessions, and what each may do. */
function OpenSessions() {
  const { value, error, reload } = useSessions()
  const { sessions, left } = value ?? { sessions: [], left: 0 }
  const open = sessions.filter(({ expires }) => expires === null || expires > coarseNow.value)
  return (
    <div class="openlist">
      <div class="row apart">
        <h3>{value ? countSessions(open.length, left) : 'Open sessions'}</h3>
        <a href={linkTo(['sessions'])}>
          {value && open.length === 0 ? 'Make a link' : 'All sessions'}
        </a>
      </div>
      {error ? <Fault what="Cannot read the sessions" error={error} retry={reload} /> : null}
      <ul>
        {open.slice(0, MAX_SHOWN).map(({ id, label, kind, expires, created, ...session }) => (
          <li key={id}>
            <a href={linkTo(['sessions'], { id })}>
              <ClaimedName name={label} />
            </a>{' '}
            {kind === 'client' && <Badge>client</Badge>}
            <small>
              <Pieces pieces={sessionSentence(session)} />{' '}
              {expires === null
                ? `Opened ${formatAge(created, coarseNow.value)}.`
                : `Ends in ${formatRemaining(expires - coarseNow.value)}.`}
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}
