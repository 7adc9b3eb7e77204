/** Builds before the first test: workers that find an old build would each write a new one, while others run it. @module */

import { buildIfOld } from '../../../scripts/build.ts'

export default buildIfOld
