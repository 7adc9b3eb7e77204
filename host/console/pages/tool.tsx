/**
 * The page of one tool: its arguments as a form, the intent sentence, and the result. A change is
 * previewed first, and Apply makes exactly the change that the preview shows.
 *
 * @module
 */

import { useId, useMemo, useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { factsOf, intentOf } from '../../connection/facts.ts'
import type { Tool } from '../../connection/types.ts'
import { startValue } from '../../forms/model.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { submitByHand } from '../parts/by-hand.ts'
import { FactBadges } from '../parts/fact-badges.tsx'
import { Intent } from '../parts/intent.tsx'
import { Visible } from '../parts/visible.tsx'
import { openConnection, touched } from '../state/link.ts'
import { linkTo, route } from '../state/route.ts'
import { metaOf, NO_META, type Meta } from '../state/meta.ts'
import { keep, kept } from '../state/storage.ts'
import { fingerprint, useTrial, type Trial } from '../state/trial.ts'
import { Buttons } from './tool-buttons.tsx'
import { MetaPanel } from './tool-meta.tsx'
import { Result } from './tool-result.tsx'
import { SavedCalls } from './tool-saved.tsx'

/** Shows a tool; the typed arguments are kept in this tab. */
export function ToolPage({ tool }: { readonly tool: Tool }) {
  const facts = useMemo(() => factsOf(tool), [tool])
  const draft = `draft.${openConnection().url} ${tool.name}`
  const [args, setArgs] = useState<JsonRecord>(() => firstArgs(tool, draft))
  const [isValid, setValid] = useState(true)
  const [showAll, setShowAll] = useState(false)
  const [meta, setMeta] = useState<Meta>(NO_META)
  const trying = useTrial(tool)
  const formId = useId()
  const sending = metaOf(meta)
  const intent = intentOf(tool, args)
  const isCurrent = trying.trial.sent === fingerprint(args, sending)

  const changeArgs = (value: unknown, valid: boolean) => {
    const next = recordOf(value)
    setArgs(next)
    setValid(valid)
    keep(draft, next, sessionStorage)
  }
  const act = async (how: 'preview' | 'apply' | 'run') => {
    if (!isValid) return setShowAll(true)
    const end = await trying[how](args, sending)
    if (hasChanged(end)) touched.value++
  }
  return (
    <article class="tool">
      <header class="pagehead">
        <div>
          <p class="crumb">
            <a href={linkTo(['tools'])}>Tools</a>
          </p>
          <h1 tabIndex={-1}>
            <Visible text={tool.title} />
          </h1>
          <p>
            <Visible text={tool.description} />
          </p>
          <div class="row">
            <code>{tool.name}</code>
            <FactBadges facts={facts} />
          </div>
        </div>
      </header>
      <p class="intentline card" aria-live="polite" aria-label="In a sentence">
        <Intent parts={intent.parts} large />
      </p>
      <form
        id={formId}
        class="card stack"
        aria-label="Arguments"
        onSubmit={submitByHand(() => void act(facts.preview ? 'preview' : 'run'))}
      >
        <div class="row apart">
          <h2>Arguments</h2>
          <SavedCalls tool={tool.name} args={args} onChoose={(saved) => changeArgs(saved, true)} />
        </div>
        <SchemaForm
          schema={tool.inputSchema}
          value={args}
          idPrefix={`tool-${tool.name}`}
          label="Arguments"
          showProblems={showAll ? 'all' : 'touched'}
          onChange={changeArgs}
        />
        <MetaPanel meta={meta} onChange={setMeta} />
      </form>
      <Result
        tool={tool}
        trial={trying.trial}
        args={args}
        isCurrent={isCurrent}
        onClear={trying.clear}
      />
      <Buttons
        form={formId}
        name={tool.name}
        facts={facts}
        trial={trying.trial}
        isCurrent={isCurrent}
        direct={meta.direct}
        onAct={act}
        onCancel={trying.cancel}
      />
    </article>
  )
}

/** Returns the initial arguments: from the address, else those last typed, else from the schema. */
function firstArgs(tool: Tool, draft: string): JsonRecord {
  const given = parsed(route.value.query['args'])
  if (given) return given
  const last = kept(draft, sessionStorage)
  if (isRecord(last)) return last
  const start = startValue(tool.inputSchema)
  return recordOf(start)
}

function parsed(text: string | undefined): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const hasChanged = ({ phase, change, result }: Trial) =>
  phase === 'done' && (change?.applied === true || result?.isError === false)
