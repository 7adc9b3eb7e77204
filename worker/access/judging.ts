/**
 * Judging: what the patterns of policies and of clients' configurations may cost, which agents and clients write.
 *
 * How many patterns restrict a request is limited for its whole chain of sessions, and so are the steps that matching
 * them takes, for each principal: each path of a listing is judged by all of them, while every other request waits. The
 * owner's own rules are not counted, unless they are judged together with such patterns. `test/worker/access/judging.test.ts` tests both.
 *
 * @module
 */

import { LISTS } from '#core/config/entries.ts'
import { isRecord, own } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Problem } from '../errors/problem.ts'
import { MAX_SESSIONS } from '../limits.ts'
import { createBucket, refillBucket, type Bucket, type Rate } from '../token-bucket.ts'
import {
  JUDGING_STEPS_PER_SECOND,
  MAX_JUDGING_STEPS,
  MAX_POLICY_PATTERNS,
  MAX_POLICY_PATTERN_TEXT,
} from './limits.ts'

/** The patterns that restrict a request beside the owner's rules. */
export interface PatternCount {
  readonly patterns: number
  /** Their length together, in UTF-16 code units. */
  readonly characters: number
}

/** The count of a request that only the owner's rules restrict. */
export const NO_PATTERNS: PatternCount = { patterns: 0, characters: 0 }

/**
 * Adds the patterns of a policy or configuration, not parsed yet, to those above it. The error says how many there are;
 * it comes before the patterns are parsed, which takes longer than counting them.
 */
export function addPatterns(above: PatternCount, value: unknown): Result<PatternCount, string> {
  const texts = patternsOf(value)
  const patterns = above.patterns + texts.length
  const characters = texts.reduce((sum, text) => sum + text.length, above.characters)
  const isOver = patterns > MAX_POLICY_PATTERNS || characters > MAX_POLICY_PATTERN_TEXT
  if (!isOver || texts.length === 0) return ok({ patterns, characters })
  return err(
    `the policies and configurations of a request must not have more than ${MAX_POLICY_PATTERNS} patterns ` +
      `with ${MAX_POLICY_PATTERN_TEXT} characters in all, and with those of the links above it has ${patterns} ` +
      `patterns with ${characters} characters. Use fewer or shorter patterns`,
  )
}

function patternsOf(value: unknown): string[] {
  const roots = isRecord(value) ? own(value, 'roots') : undefined
  const entries: unknown[] = Array.isArray(roots) ? roots : []
  return entries.flatMap((entry) =>
    LISTS.flatMap((list): unknown[] => {
      const texts = isRecord(entry) ? own(entry, list) : undefined
      return Array.isArray(texts) ? texts : []
    }).filter((text) => typeof text === 'string'),
  )
}

/** Counts the steps of one principal. */
export interface Judging {
  /** Throws {@link JudgingSpent} while no steps are left. */
  readonly check: () => void
  readonly spend: (steps: number) => void
}

/** What is judged: each has steps of its own, so that changes by others use up none of those for calls. */
export type JudgingUse = 'calls' | 'notifications' | 'reviews'

/** The judging of each principal, by its budget. */
export type JudgingOf = (budget: string, use: JudgingUse) => Judging

/**
 * The error of an access whose principal has used up its steps. It is thrown, because a verdict without them would have
 * to be wrong for some of its readers: what is taken for hidden may also need fewer permissions.
 */
export class JudgingSpent extends Error {
  /** Seconds until all steps are there again. */
  readonly seconds: number

  constructor(seconds: number) {
    super('No steps are left to match the patterns of policies')
    this.seconds = seconds
  }
}

/** Returns the problem of steps that are used up. Throws any other error again. */
export function problemOfSpent(error: unknown): Problem {
  if (!(error instanceof JudgingSpent)) throw error
  const detail =
    'Cannot finish: the patterns of the policies that restrict this request take too many steps. Nothing was changed. ' +
    `Try again in ${error.seconds} s with a smaller folder, or with fewer or simpler patterns in the policy.`
  return { reason: 'over_budget', detail }
}

const STEPS: Rate = { burst: MAX_JUDGING_STEPS, seconds: 1 / JUDGING_STEPS_PER_SECOND }

/** Creates the judging of all principals of a workspace. `now` is in milliseconds. */
export function createJudging(now: () => number = Date.now): JudgingOf {
  const buckets = new Map<string, Bucket>()

  function bucketOf(key: string): Bucket {
    const known = buckets.get(key)
    if (known) {
      refillBucket(known, STEPS, now())
      return known
    }
    const [oldest] = buckets.keys()
    if (oldest !== undefined && buckets.size >= MAX_SESSIONS) buckets.delete(oldest)
    const bucket = createBucket(STEPS, now())
    buckets.set(key, bucket)
    return bucket
  }

  return (budget, use) => {
    const key = `${use} ${budget}`
    return {
      check() {
        const { left } = bucketOf(key)
        if (left <= 0) throw new JudgingSpent(Math.ceil((STEPS.burst - left) * STEPS.seconds))
      },
      spend(steps) {
        bucketOf(key).left -= steps
      },
    }
  }
}
