/** Permissions of agents, for the overview: the rules in sentences, and the open sessions. @module */

import type { JsonRecord } from '#core/json.ts'
import { Badge, Fault, Waiting } from '../parts/parts.tsx'
import { Pieces, Sentences } from '../parts/sentences.tsx'
import { slowly } from '../state/clock.ts'
import { ago, left, numbered } from '../state/format.ts'
import { touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { firstAndRest, sentencesOf, sessionSentence } from '../state/sentences.ts'
import { answered, api, offers } from '../state/workspace.ts'

/** Shows what agents may do. */
export function May() {
  const from = api.value
  const config = useLoad(async () => (from ? answered(from.config()) : null), [from, touched.value])
  return (
    <>
      <header>
        <h2 id="may">What agents may do</h2>
        <a href={linkTo(['rules'])}>Change the rules</a>
      </header>
      {config.error ? (
        <Fault what="The rules could not be read." error={config.error} retry={config.reload} />
      ) : null}
      {!config.value && config.isLoading && <Waiting />}
      {config.value && <Said config={config.value} />}
      {offers.value.workspace && <Open />}
    </>
  )
}

/** Permissions and restrictions as a list, and limits in a paragraph below it. */
function Said({ config }: { readonly config: JsonRecord }) {
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

const OPEN_SHOWN = 4

const countOf = (open: number) => (open === 0 ? 'No open sessions' : numbered(open, 'open session'))

/** The open sessions, and what each may do. */
function Open() {
  const from = api.value
  const { value, error, reload } = useLoad(
    async () => (from ? answered(from.sessions()) : []),
    [from, touched.value],
  )
  const open = (value ?? []).filter(({ expires }) => expires === null || expires > slowly.value)
  return (
    <div class="openlist">
      <div class="row apart">
        <h3>{value ? countOf(open.length) : 'Open sessions'}</h3>
        <a href={linkTo(['sessions'])}>
          {value && open.length === 0 ? 'Make a link for an agent' : 'All sessions'}
        </a>
      </div>
      {error ? <Fault what="The sessions could not be read." error={error} retry={reload} /> : null}
      <ul>
        {open.slice(0, OPEN_SHOWN).map(({ id, label, kind, expires, created, ...wish }) => (
          <li key={id}>
            <a href={linkTo(['sessions'], { id })}>{label}</a>{' '}
            {kind === 'client' && <Badge>client</Badge>}
            <small>
              <Pieces pieces={sessionSentence(wish)} />{' '}
              {expires === null
                ? `Opened ${ago(created, slowly.value)}.`
                : `Ends in ${left(expires - slowly.value)}.`}
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}
