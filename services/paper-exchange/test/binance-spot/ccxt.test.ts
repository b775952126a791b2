import { contract } from '../contract/suite.ts'
import { CCXT } from './clients.ts'
import { CCXT_OPERATIONS } from './operations.ts'
import { CCXT_REFUSALS } from './refusals.ts'

contract(CCXT, CCXT_OPERATIONS, CCXT_REFUSALS)
