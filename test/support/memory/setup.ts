/** Makes the global object of a test in plain Node that of workerd, as far as the Worker uses it. @module */

import { addGlobals } from './globals.ts'

addGlobals()
