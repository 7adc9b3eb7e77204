/** The app servers that ext-apps publishes on npm, without those of `published-apps.slow.test.ts`. */

import { judgeApps } from '../../support/pages/published-judge.ts'
import { APPS, DAILY } from './apps.ts'

judgeApps(APPS.filter(({ name }) => !DAILY.has(name)))
