/** The effect of the rules in sentences, and how they differ from the defaults. @module */

import type { JsonRecord } from '#core/json.ts'
import { Icon } from '../ui/icons.tsx'
import { Sentence } from '../ui/path.tsx'
import { diffConfigs, type Difference } from './config-diff.ts'
import { sentencesOf } from './config-sentences.ts'
import { Sentences } from './sentence-list.tsx'

interface Props {
  readonly config: JsonRecord
  readonly defaults: JsonRecord
  readonly onReset: (defaults: JsonRecord) => void
}

/** Shows what a configuration means, with a button to reset it to the defaults. */
export function RulesSummary({ config, defaults, onReset }: Props) {
  const differences = diffConfigs(defaults, config)
  return (
    <>
      <section class="card" aria-labelledby="means">
        <header>
          <h2 id="means">Effect of the rules</h2>
        </header>
        <div aria-live="polite">
          <Sentences list={sentencesOf(config)} />
        </div>
      </section>
      <section class="card" aria-labelledby="own">
        <header>
          <h2 id="own">Differences from the defaults</h2>
        </header>
        {differences.length === 0 ? (
          <p class="faint small">All rules have their defaults.</p>
        ) : (
          <>
            <Table list={differences} />
            <button type="button" class="button small" onClick={() => onReset(defaults)}>
              <Icon name="refresh" /> Reset to the defaults
            </button>
          </>
        )}
      </section>
    </>
  )
}

const Table = ({ list }: { readonly list: readonly Difference[] }) => (
  <dl class="differences">
    {list.map(({ name, before, after }) => (
      <div key={name}>
        <dt>
          <Sentence text={name} />
        </dt>
        <dd>
          <del>
            <Sentence text={before} />
          </del>{' '}
          <ins>
            <Sentence text={after} />
          </ins>
        </dd>
      </div>
    ))}
  </dl>
)
