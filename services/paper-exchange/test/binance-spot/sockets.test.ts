import { contract } from '../contract/suite.ts'
import { CCXT_PRO, SDK_STREAMS, SDK_WS } from './clients.ts'
import {
  PRO_OPERATIONS,
  PRO_REFUSALS,
  SDK_SOCKET_OPERATIONS,
  SDK_STREAM_OPERATIONS,
} from './socket-operations.ts'

contract(CCXT_PRO, PRO_OPERATIONS, PRO_REFUSALS)
contract(SDK_WS, SDK_SOCKET_OPERATIONS)
contract(SDK_STREAMS, SDK_STREAM_OPERATIONS)
