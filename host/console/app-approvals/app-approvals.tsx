/**
 * Apps from files that wait for the owner, and those that are served: what each asks for, its files, and the buttons
 * that decide.
 *
 * `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownApp, ShownManifest } from '#core/owner/answers/apps.ts'
import { revision } from '../connect/connection.ts'
import { sendAct } from '../owner/send-act.ts'
import { askForUnseen, UnseenQuestion } from '../drafts/unseen.tsx'
import { refreshWaiting, waitingList } from '../drafts/waiting-list.ts'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount } from '../ui/format.ts'
import { useHeld } from '../ui/held.ts'
import { useKeptHeight } from '../ui/kept-height.ts'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault, Note, type Tone } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { AppFiles } from './app-files.tsx'

type Answer = 'approve' | 'turn-down' | 'withdraw'

type Decide = (what: Answer) => void

/** Lists the apps. `base` is the URL of the workspace, without a slash at its end. */
export function AppApprovals({ base }: { readonly base: string }) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const listed = useLoad(
    (signal) => sendAct(base, 'list_apps', { signal }),
    [base, revision.value, waitingList.value?.apps],
  )
  const decideOn =
    (row: ShownApp): Decide =>
    (what) => {
      setIsBusy(true)
      setError(null)
      decide(base, row, what)
        .catch(setError)
        .finally(() => {
          setIsBusy(false)
          listed.reload()
          refreshWaiting()
        })
    }
  // An app of other files is another one, so that the card of the files that were shown keeps its place.
  const rows = useHeld(listed.value?.apps ?? null, ({ name, revision }) => `${name} ${revision}`)
  const left = listed.value?.left ?? 0
  if (rows.length === 0 && left === 0 && !listed.error && !error) return null
  return (
    <section class="appapprovals" aria-labelledby="app-approvals">
      <h2 id="app-approvals">Apps</h2>
      {error ? <Fault what="Cannot decide" error={error} /> : null}
      {listed.error ? (
        <Fault what="Cannot read the apps" error={listed.error} retry={listed.reload} />
      ) : null}
      <ul>
        {rows.map(({ row, isGone }) => (
          <li key={`${row.name} ${row.revision}`}>
            <App {...{ base, row, isGone, isBusy }} decide={decideOn(row)} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <Note title={`${formatCount(left, 'more folder')} of apps not listed.`}>
          Decide on the apps above or delete their folders to see more.
        </Note>
      )}
      <UnseenQuestion />
    </section>
  )
}

/** Returns the files that are approved although their content cannot be shown as text. */
const unseenIn = ({ files }: ShownApp) =>
  files.filter(({ unseen }) => unseen).map(({ path }) => path)

async function decide(base: string, row: ShownApp, what: Answer): Promise<void> {
  const segments = { app: row.name }
  const { revision: shown } = row
  const unseen = unseenIn(row)
  if (what === 'withdraw') await sendAct(base, 'withdraw_app', { segments, body: {} })
  else if (what === 'turn-down')
    await sendAct(base, 'turn_down_app', { segments, body: { revision: shown } })
  else {
    const body = { revision: shown, ...(unseen.length > 0 && { unseen }) }
    await sendAct(base, 'approve_app', { segments, body })
  }
}

/** Whether an earlier state of it was approved. */
const wasApproved = ({ decided }: ShownApp) => decided?.state === 'approved'

interface AppProps {
  readonly base: string
  readonly row: ShownApp
  readonly isBusy: boolean
  /** Whether its files are no longer those that are shown. */
  readonly isGone: boolean
  readonly decide: Decide
}

/** The file that has the manifest: an app of a folder of mcp-bash has slashes in its name. */
const manifestOf = (name: string) => (name.includes('/') ? 'ui.meta.json' : 'app.json')

const STATES: Readonly<Record<ShownApp['state'], readonly [Tone, string]>> = {
  waiting: ['warning', 'waits for you'],
  approved: ['success', 'approved'],
  turned_down: ['plain', 'turned down'],
  invalid: ['danger', 'has problems'],
}

function App({ base, row, isGone, isBusy, decide }: AppProps) {
  const { name, state, manifest: request, problems } = row
  const unseen = unseenIn(row)
  const [tone, label] = STATES[state]
  const [head, follow] = useFocusAfter(state)
  return (
    <article {...useKeptHeight(isGone || state !== 'waiting')} class="card">
      <header ref={head} class="row" tabIndex={-1}>
        <h3>{request ? <ClaimedName name={request.title} /> : name}</h3>
        <Badge tone={tone}>{label}</Badge>
      </header>
      <p class="small">
        <code>{name}</code>
        {request && request.description !== '' && (
          <>
            {' · '}
            <ClaimedName name={request.description} />
          </>
        )}
      </p>
      {wasApproved(row) && state !== 'approved' && (
        <Note tone="warning">Its files have changed since you approved it. It is not served.</Note>
      )}
      {problems.map(({ pointer, message }) => (
        <Note key={pointer} tone="danger">
          <code>
            <Visible text={`${manifestOf(name)}${pointer}`} />
          </code>{' '}
          <Visible text={message} />
        </Note>
      ))}
      {request && <Request {...request} />}
      <AppFiles base={base} row={row} />
      {isGone ? (
        <p class="small faint">It has changed since, or it is gone.</p>
      ) : (
        <Buttons
          {...{ row, isBusy }}
          decide={(what) => {
            const send = () => {
              follow()
              decide(what)
            }
            if (what === 'approve' && unseen.length > 0)
              askForUnseen({ paths: unseen, onYes: send })
            else send()
          }}
        />
      )}
    </article>
  )
}

/** Returns a place for the focus of a button that decides and is gone with the state, and what to call before that. */
function useFocusAfter(state: ShownApp['state']) {
  const place = useRef<HTMLElement>(null)
  const isDecided = useRef(false)
  useEffect(() => {
    if (isDecided.current) place.current?.focus()
    isDecided.current = false
  }, [state])
  return [place, () => void (isDecided.current = true)] as const
}

/** The origins that its page may reach. */
const originsOf = ({ csp }: ShownManifest) => [...new Set(Object.values(csp).flat())]

/** What the app can do: a template keeps to what it declares, code of its own need not. */
function Request(request: ShownManifest) {
  const { template, forTool, data, write, permissions, domain } = request
  const origins = originsOf(request)
  return (
    <>
      {template === null && <CodeNote origins={origins} />}
      <dl class="facts">
        <Fact
          name="Page"
          values={[template === null ? 'its own, which is code' : `${template} template`]}
        />
        {forTool === null ? (
          <Fact
            name={template === null ? 'Declares to show' : 'Shows'}
            values={data}
            none="no file"
            isCode
          />
        ) : (
          <Fact name="Shows each result of" values={[forTool]} isCode />
        )}
        <Fact
          name={template === null ? 'Declares to change' : 'May change'}
          values={write}
          none="nothing"
          isCode
        />
        <Fact name="Network" values={origins} none="none" isCode />
        {domain !== null && <Fact name="Own origin" values={[domain]} isCode />}
        {permissions.length > 0 && <Fact name="Asks for" values={permissions} />}
      </dl>
    </>
  )
}

/** States what a page of code can do, whatever its manifest declares. */
function CodeNote({ origins }: { readonly origins: readonly string[] }) {
  return (
    <Note tone="warning" title="This page is code.">
      It can read and change every file that the session which opens it can, as far as the rules
      allow{origins.length > 0 ? ', and send what it reads to ' : '.'}
      {origins.map((origin, index) => (
        <>
          {index > 0 && ', '}
          <code>
            <Visible text={origin} />
          </code>
        </>
      ))}
      {origins.length > 0 && '.'} What it declares is not enforced.
    </Note>
  )
}

interface FactProps {
  readonly name: string
  readonly values: readonly string[]
  /** What is shown without values. */
  readonly none?: string
  readonly isCode?: boolean
}

function Fact({ name, values, none = '', isCode = false }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {values.length === 0 && none}
        {values.map((value) =>
          isCode ? (
            <code key={value}>
              <Visible text={value} />
            </code>
          ) : (
            <Visible key={value} text={value} />
          ),
        )}
      </dd>
    </>
  )
}

function Buttons({ row, isBusy, decide }: Pick<AppProps, 'row' | 'isBusy' | 'decide'>) {
  const { name, manifest, revision: shown, state } = row
  // The approval of an invalid app still holds for the files that were approved.
  const isHeld = state === 'approved' || (state === 'invalid' && wasApproved(row))
  const button = (what: Answer, label: string, look: string) => (
    <DecisionButton
      shown={`${what} ${name} ${shown}`}
      look={look}
      isOff={isBusy}
      onDecide={() => decide(what)}
    >
      {label}
      <span class="unseen">
        : <Visible text={manifest?.title ?? name} />
      </span>
    </DecisionButton>
  )
  return (
    <div class="row">
      {state === 'waiting' && button('approve', 'Approve the app', 'primary')}
      {state === 'waiting' && button('turn-down', 'Turn down', 'danger')}
      {isHeld && button('withdraw', 'Take back the approval', 'danger')}
      {state === 'turned_down' && button('withdraw', 'Decide again', '')}
    </div>
  )
}
