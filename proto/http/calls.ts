// Written by scripts/web-client.ts from the gateway's OpenAPI document.

/** A call as it is sent; the type of its answer goes with it. */
export interface Call<Answer> {
  url: string;
  method?: string;
  body?: unknown;
  params?: Record<string, unknown>;
  readonly answer?: Answer;
}

export const calls = {
  register: (queryArg: RegisterApiArg): Call<RegisterApiResponse> => ({
    url: `/api/auth/register`,
    method: "POST",
    body: queryArg,
  }),
  login: (queryArg: LoginApiArg): Call<LoginApiResponse> => ({
    url: `/api/auth/login`,
    method: "POST",
    body: queryArg,
  }),
  verifyEmail: (queryArg: VerifyEmailApiArg): Call<VerifyEmailApiResponse> => ({
    url: `/api/auth/verify-email`,
    method: "POST",
    body: queryArg,
  }),
  resendVerification: (queryArg: ResendVerificationApiArg): Call<ResendVerificationApiResponse> => ({
    url: `/api/auth/verify-email/resend`,
    method: "POST",
    body: queryArg,
  }),
  requestPasswordReset: (queryArg: RequestPasswordResetApiArg): Call<RequestPasswordResetApiResponse> => ({
    url: `/api/auth/password-reset/request`,
    method: "POST",
    body: queryArg,
  }),
  resetPassword: (queryArg: ResetPasswordApiArg): Call<ResetPasswordApiResponse> => ({
    url: `/api/auth/password-reset/confirm`,
    method: "POST",
    body: queryArg,
  }),
  listSessions: (): Call<ListSessionsApiResponse> => ({ url: `/api/auth/sessions` }),
  endOtherSessions: (): Call<EndOtherSessionsApiResponse> => ({ url: `/api/auth/sessions`, method: "DELETE" }),
  endSession: (queryArg: EndSessionApiArg): Call<EndSessionApiResponse> => ({
    url: `/api/auth/sessions/${queryArg}`,
    method: "DELETE",
  }),
  joinWaitlist: (queryArg: JoinWaitlistApiArg): Call<JoinWaitlistApiResponse> => ({
    url: `/api/waitlist`,
    method: "POST",
    body: queryArg,
  }),
  getMe: (): Call<GetMeApiResponse> => ({ url: `/api/users/me` }),
  listKeys: (): Call<ListKeysApiResponse> => ({ url: `/api/keys` }),
  createKey: (queryArg: CreateKeyApiArg): Call<CreateKeyApiResponse> => ({
    url: `/api/keys`,
    method: "POST",
    body: queryArg,
  }),
  resetKey: (queryArg: ResetKeyApiArg): Call<ResetKeyApiResponse> => ({
    url: `/api/keys/${queryArg}/reset`,
    method: "POST",
  }),
  updateKey: (queryArg: UpdateKeyApiArg): Call<UpdateKeyApiResponse> => ({
    url: `/api/keys/${queryArg.id}`,
    method: "PUT",
    body: queryArg.body,
  }),
  deleteKey: (queryArg: DeleteKeyApiArg): Call<DeleteKeyApiResponse> => ({ url: `/api/keys/${queryArg}`, method: "DELETE" }),
  testKey: (queryArg: TestKeyApiArg): Call<TestKeyApiResponse> => ({
    url: `/api/keys/${queryArg}/test`,
    method: "POST",
  }),
  listKeyAddresses: (): Call<ListKeyAddressesApiResponse> => ({ url: `/api/keys/addresses` }),
  getKeyTrading: (queryArg: GetKeyTradingApiArg): Call<GetKeyTradingApiResponse> => ({ url: `/api/keys/${queryArg}/trading` }),
  updateKeyTrading: (queryArg: UpdateKeyTradingApiArg): Call<UpdateKeyTradingApiResponse> => ({
    url: `/api/keys/${queryArg.id}/trading`,
    method: "PUT",
    body: queryArg.body,
  }),
  getTradingState: (): Call<GetTradingStateApiResponse> => ({ url: `/api/trading-state` }),
  updateTradingState: (queryArg: UpdateTradingStateApiArg): Call<UpdateTradingStateApiResponse> => ({
    url: `/api/trading-state`,
    method: "PUT",
    body: queryArg,
  }),
  getCloseOnly: (queryArg: GetCloseOnlyApiArg): Call<GetCloseOnlyApiResponse> => ({ url: `/api/keys/${queryArg}/close-only` }),
  createCloseOnly: (queryArg: CreateCloseOnlyApiArg): Call<CreateCloseOnlyApiResponse> => ({
    url: `/api/keys/${queryArg}/close-only`,
    method: "POST",
  }),
  deleteCloseOnly: (queryArg: DeleteCloseOnlyApiArg): Call<DeleteCloseOnlyApiResponse> => ({
    url: `/api/keys/${queryArg}/close-only`,
    method: "DELETE",
  }),
  regenerateCloseOnly: (queryArg: RegenerateCloseOnlyApiArg): Call<RegenerateCloseOnlyApiResponse> => ({
    url: `/api/keys/${queryArg.id}/close-only/regenerate`,
    method: "POST",
    body: queryArg.body,
  }),
  getNotifications: (): Call<GetNotificationsApiResponse> => ({ url: `/api/notifications` }),
  updateNotifications: (queryArg: UpdateNotificationsApiArg): Call<UpdateNotificationsApiResponse> => ({
    url: `/api/notifications`,
    method: "PUT",
    body: queryArg,
  }),
  testNotifications: (): Call<TestNotificationsApiResponse> => ({ url: `/api/notifications/test`, method: "POST" }),
  getWebhookConfig: (): Call<GetWebhookConfigApiResponse> => ({ url: `/api/webhook-config` }),
  updateWebhookConfig: (queryArg: UpdateWebhookConfigApiArg): Call<UpdateWebhookConfigApiResponse> => ({
    url: `/api/webhook-config`,
    method: "PUT",
    body: queryArg,
  }),
  regenerateWebhook: (queryArg: RegenerateWebhookApiArg): Call<RegenerateWebhookApiResponse> => ({
    url: `/api/webhook-config/regenerate`,
    method: "POST",
    body: queryArg,
  }),
  getWebhookUsage: (): Call<GetWebhookUsageApiResponse> => ({ url: `/api/webhook-config/usage` }),
  listExecutions: (queryArg: ListExecutionsApiArg): Call<ListExecutionsApiResponse> => ({
    url: `/api/webhook-executions`,
    params: {
      offset: queryArg.offset,
      limit: queryArg.limit,
      cursor: queryArg.cursor,
      sort: queryArg.sort,
      api_key_label: queryArg.apiKeyLabel,
      exchange: queryArg.exchange,
      symbol: queryArg["symbol"],
      command_type: queryArg.commandType,
      overall_status: queryArg.overallStatus,
      outcome: queryArg.outcome,
      from: queryArg["from"],
      to: queryArg.to,
      search: queryArg.search,
    },
  }),
  getExecution: (queryArg: GetExecutionApiArg): Call<GetExecutionApiResponse> => ({ url: `/api/webhook-executions/${queryArg}` }),
  getExecutionSummary: (): Call<GetExecutionSummaryApiResponse> => ({ url: `/api/webhook-executions/summary` }),
  getExecutionSums: (queryArg: GetExecutionSumsApiArg): Call<GetExecutionSumsApiResponse> => ({
    url: `/api/webhook-executions/sums`,
    params: {
      api_key_label: queryArg.apiKeyLabel,
      exchange: queryArg.exchange,
      symbol: queryArg["symbol"],
      command_type: queryArg.commandType,
      overall_status: queryArg.overallStatus,
      outcome: queryArg.outcome,
      from: queryArg["from"],
      to: queryArg.to,
      search: queryArg.search,
    },
  }),
  listReceipts: (queryArg: ListReceiptsApiArg): Call<ListReceiptsApiResponse> => ({
    url: `/api/receipts`,
    params: {
      limit: queryArg.limit,
      before: queryArg.before,
      state: queryArg.state,
    },
  }),
  previewCommands: (queryArg: PreviewCommandsApiArg): Call<PreviewCommandsApiResponse> => ({
    url: `/api/commands/preview`,
    method: "POST",
    body: queryArg,
  }),
  listAccounts: (queryArg: ListAccountsApiArg): Call<ListAccountsApiResponse> => ({
    url: `/api/accounts`,
    params: {
      api_key_id: queryArg,
    },
  }),
};
export type RegisterApiResponse = /** status 201 Default Response */ {
  id: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  country: string;
  created_at: string;
};
export type RegisterApiArg = {
  first_name: string;
  last_name: string;
  country: string;
  /** the wished one, made unique when it is taken; the part of the email before the @ if left out */
  username?: string;
  email: string;
  password: string;
};
export type LoginApiResponse = /** status 200 Default Response */ {
  access_token: string;
  refresh_token: string;
  /** shows at the next login that this browser is known, so that strangers' failures do not count for it */
  browser_token?: string;
};
export type LoginApiArg = {
  email: string;
  password: string;
  /** the `browser_token`s that earlier logins of this browser were answered with */
  browser_tokens?: string[];
};
export type VerifyEmailApiResponse = /** status 200 Default Response */ {
  message: string;
  email: string;
};
export type VerifyEmailApiArg = {
  token: string;
  /** the one that was chosen at the registration, so that nobody gets an account that a stranger knows */
  password: string;
};
export type ResendVerificationApiResponse = /** status 200 Default Response */ {
  message: string;
};
export type ResendVerificationApiArg = {
  email: string;
};
export type RequestPasswordResetApiResponse =
  /** status 200 Default Response */ {
    message: string;
  };
export type RequestPasswordResetApiArg = {
  email: string;
};
export type ResetPasswordApiResponse = /** status 200 Default Response */ {
  message: string;
};
export type ResetPasswordApiArg = {
  token: string;
  new_password: string;
  /** whether the webhook gets a new address too; whoever knows the present one can trade with it */
  new_webhook_address?: boolean;
};
export type ListSessionsApiResponse = /** status 200 Default Response */ {
  id: string;
  created_at: string;
  last_used_at: string;
  /** from where it was opened */
  address: string;
  /** the browser or program that opened it */
  user_agent: string;
  is_current: boolean;
}[];
export type ListSessionsApiArg = void;
export type EndOtherSessionsApiResponse = unknown;
export type EndOtherSessionsApiArg = void;
export type EndSessionApiResponse = unknown;
export type EndSessionApiArg = string;
export type JoinWaitlistApiResponse =
  | /** status 200 Default Response */ {
      message: string;
    }
  | /** status 201 Default Response */ {
      message: string;
    };
export type JoinWaitlistApiArg = {
  email: string;
};
export type GetMeApiResponse = /** status 200 Default Response */ {
  id: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  country: string;
  created_at: string;
};
export type GetMeApiArg = void;
export type ListKeysApiResponse = /** status 200 Default Response */ {
  id: string;
  label: string;
  exchange: "bybit" | "binance" | "okx" | "paper";
  market_type: "futures" | "futures_usdt" | "spot";
  api_key_preview: string;
  is_testnet: boolean;
  notify_on_trade: boolean;
  notify_on_error: boolean;
  notify_on_fill: boolean;
  created_at: string;
  /** the findings of the last test; null while it was never tested */
  last_test: {
    success: boolean;
    message: string;
    error: string | null;
    checks: {
      id:
        | "venue_reached"
        | "clock_offset"
        | "key_accepted"
        | "may_trade"
        | "withdrawal"
        | "ip_restriction";
      /** null where the exchange does not report it */
      ok: boolean | null;
      message: string;
      fix: string | null;
    }[];
    tested_at: string;
  } | null;
  /** why no order can be signed with its credentials, and the remedy; null where none is known of */
  problem: string | null;
}[];
export type ListKeysApiArg = void;
export type CreateKeyApiResponse = /** status 201 Default Response */ {
  id: string;
  label: string;
  exchange: "bybit" | "binance" | "okx" | "paper";
  market_type: "futures" | "futures_usdt" | "spot";
  api_key_preview: string;
  is_testnet: boolean;
  notify_on_trade: boolean;
  notify_on_error: boolean;
  notify_on_fill: boolean;
  created_at: string;
  /** the findings of the last test; null while it was never tested */
  last_test: {
    success: boolean;
    message: string;
    error: string | null;
    checks: {
      id:
        | "venue_reached"
        | "clock_offset"
        | "key_accepted"
        | "may_trade"
        | "withdrawal"
        | "ip_restriction";
      /** null where the exchange does not report it */
      ok: boolean | null;
      message: string;
      fix: string | null;
    }[];
    tested_at: string;
  } | null;
  /** why no order can be signed with its credentials, and the remedy; null where none is known of */
  problem: string | null;
};
export type CreateKeyApiArg = {
  label: string;
  exchange?: "bybit" | "binance" | "okx" | "paper";
  market_type?: "futures" | "futures_usdt" | "spot";
  api_key?: string;
  api_secret?: string;
  /** of OKX alone */
  api_passphrase?: string;
  is_testnet?: boolean;
  notify_on_trade?: boolean;
  notify_on_error?: boolean;
  notify_on_fill?: boolean;
};
export type ResetKeyApiResponse = /** status 200 Default Response */ {
  message: string;
};
export type ResetKeyApiArg = string;
export type UpdateKeyApiResponse = /** status 200 Default Response */ {
  id: string;
  label: string;
  exchange: "bybit" | "binance" | "okx" | "paper";
  market_type: "futures" | "futures_usdt" | "spot";
  api_key_preview: string;
  is_testnet: boolean;
  notify_on_trade: boolean;
  notify_on_error: boolean;
  notify_on_fill: boolean;
  created_at: string;
  /** the findings of the last test; null while it was never tested */
  last_test: {
    success: boolean;
    message: string;
    error: string | null;
    checks: {
      id:
        | "venue_reached"
        | "clock_offset"
        | "key_accepted"
        | "may_trade"
        | "withdrawal"
        | "ip_restriction";
      /** null where the exchange does not report it */
      ok: boolean | null;
      message: string;
      fix: string | null;
    }[];
    tested_at: string;
  } | null;
  /** why no order can be signed with its credentials, and the remedy; null where none is known of */
  problem: string | null;
};
export type UpdateKeyApiArg = {
  id: string;
  body: {
    label?: string;
    market_type?: "futures" | "futures_usdt" | "spot";
    notify_on_trade?: boolean;
    notify_on_error?: boolean;
    notify_on_fill?: boolean;
  };
};
export type DeleteKeyApiResponse = unknown;
export type DeleteKeyApiArg = string;
export type TestKeyApiResponse = /** status 200 Default Response */ {
  success: boolean;
  message: string;
  error: string | null;
  checks: {
    id:
      | "venue_reached"
      | "clock_offset"
      | "key_accepted"
      | "may_trade"
      | "withdrawal"
      | "ip_restriction";
    /** null where the exchange does not report it */
    ok: boolean | null;
    message: string;
    fix: string | null;
  }[];
};
export type TestKeyApiArg = string;
export type ListKeyAddressesApiResponse = /** status 200 Default Response */ {
  /** the addresses that exchanges see us come from, for API keys that allow some only; empty where not said */
  addresses: string[];
};
export type ListKeyAddressesApiArg = void;
export type GetKeyTradingApiResponse = /** status 200 Default Response */ {
  /** active trades, reducing only makes positions smaller, halted does nothing */
  state: "active" | "reducing" | "halted";
  /** the age that an entry may have when it is sent */
  max_entry_age_s: number;
  /** the time for which an exit or a cancel is tried that the exchange does not take; 0: no longer than an entry */
  exit_retry_s: number;
  /** the most that one order may be worth, in the quote currency */
  max_order_value: string | null;
};
export type GetKeyTradingApiArg = string;
export type UpdateKeyTradingApiResponse = /** status 200 Default Response */ {
  /** active trades, reducing only makes positions smaller, halted does nothing */
  state: "active" | "reducing" | "halted";
  /** the age that an entry may have when it is sent */
  max_entry_age_s: number;
  /** the time for which an exit or a cancel is tried that the exchange does not take; 0: no longer than an entry */
  exit_retry_s: number;
  /** the most that one order may be worth, in the quote currency */
  max_order_value: string | null;
};
export type UpdateKeyTradingApiArg = {
  id: string;
  body: {
    /** active trades, reducing only makes positions smaller, halted does nothing */
    state?: "active" | "reducing" | "halted";
    /** the age that an entry may have when it is sent */
    max_entry_age_s?: number;
    /** the time for which an exit or a cancel is tried that the exchange does not take; 0: no longer than an entry */
    exit_retry_s?: number;
    /** the most that one order may be worth, in the quote currency */
    max_order_value?: string | null;
  };
};
export type GetTradingStateApiResponse = /** status 200 Default Response */ {
  state: "active" | "reducing" | "halted";
};
export type GetTradingStateApiArg = void;
export type UpdateTradingStateApiResponse = /** status 200 Default Response */ {
  state: "active" | "reducing" | "halted";
};
export type UpdateTradingStateApiArg = {
  state: "active" | "reducing" | "halted";
};
export type GetCloseOnlyApiResponse = /** status 200 Default Response */ {
  /** null while the API key has none */
  webhook_url: string | null;
};
export type GetCloseOnlyApiArg = string;
export type CreateCloseOnlyApiResponse = /** status 201 Default Response */ {
  /** null while the API key has none */
  webhook_url: string | null;
};
export type CreateCloseOnlyApiArg = string;
export type DeleteCloseOnlyApiResponse = unknown;
export type DeleteCloseOnlyApiArg = string;
export type RegenerateCloseOnlyApiResponse =
  /** status 200 Default Response */ {
    /** null while the API key has none */
    webhook_url: string | null;
  };
export type RegenerateCloseOnlyApiArg = {
  id: string;
  body: {
    confirm: true;
  };
};
export type GetNotificationsApiResponse = /** status 200 Default Response */ {
  telegram_enabled: boolean;
  /** a fixed mask where a token is stored */
  telegram_bot_token: string | null;
  telegram_chat_id: string | null;
  /** why the last message could not be sent, null after one that was */
  last_error: string | null;
  last_error_at: string | null;
};
export type GetNotificationsApiArg = void;
export type UpdateNotificationsApiResponse =
  /** status 200 Default Response */ {
    telegram_enabled: boolean;
    /** a fixed mask where a token is stored */
    telegram_bot_token: string | null;
    telegram_chat_id: string | null;
    /** why the last message could not be sent, null after one that was */
    last_error: string | null;
    last_error_at: string | null;
  };
export type UpdateNotificationsApiArg = {
  telegram_enabled?: boolean;
  telegram_bot_token?: string | null;
  telegram_chat_id?: string | null;
};
export type TestNotificationsApiResponse = /** status 200 Default Response */ {
  success: boolean;
  message: string;
  error: string | null;
};
export type TestNotificationsApiArg = void;
export type GetWebhookConfigApiResponse = /** status 200 Default Response */ {
  webhook_url: string;
  is_active: boolean;
  max_requests_per_minute: number;
  /** in which form alerts are read; tripline is our own language, as text or JSON */
  alert_format:
    | "tripline"
    | "3commas"
    | "traderspost"
    | "wundertrading"
    | "tvhub"
    | "finandy"
    | "autoview"
    | "whook";
  /** whether only TradingView's addresses may call it */
  only_tradingview: boolean;
};
export type GetWebhookConfigApiArg = void;
export type UpdateWebhookConfigApiResponse =
  /** status 200 Default Response */ {
    webhook_url: string;
    is_active: boolean;
    max_requests_per_minute: number;
    /** in which form alerts are read; tripline is our own language, as text or JSON */
    alert_format:
      | "tripline"
      | "3commas"
      | "traderspost"
      | "wundertrading"
      | "tvhub"
      | "finandy"
      | "autoview"
      | "whook";
    /** whether only TradingView's addresses may call it */
    only_tradingview: boolean;
  };
export type UpdateWebhookConfigApiArg = {
  is_active?: boolean;
  max_requests_per_minute?: number;
  /** in which form alerts are read; tripline is our own language, as text or JSON */
  alert_format?:
    | "tripline"
    | "3commas"
    | "traderspost"
    | "wundertrading"
    | "tvhub"
    | "finandy"
    | "autoview"
    | "whook";
  /** whether only TradingView's addresses may call it */
  only_tradingview?: boolean;
};
export type RegenerateWebhookApiResponse = /** status 200 Default Response */ {
  webhook_url: string;
  is_active: boolean;
  max_requests_per_minute: number;
  /** in which form alerts are read; tripline is our own language, as text or JSON */
  alert_format:
    | "tripline"
    | "3commas"
    | "traderspost"
    | "wundertrading"
    | "tvhub"
    | "finandy"
    | "autoview"
    | "whook";
  /** whether only TradingView's addresses may call it */
  only_tradingview: boolean;
};
export type RegenerateWebhookApiArg = {
  confirm: true;
};
export type GetWebhookUsageApiResponse = /** status 200 Default Response */ {
  /** how many alerts count towards the limit at this moment */
  used_last_minute: number;
  /** the same of messages of the owner's session, which count apart; null while it is not known */
  session: {
    used_last_minute: number;
    max_requests_per_minute: number;
  } | null;
  /** the last addresses that called it, newest first */
  senders: {
    address: string;
    last_seen_at: string;
    /** whether it is one of TradingView's published addresses */
    is_tradingview: boolean;
  }[];
};
export type GetWebhookUsageApiArg = void;
export type ListExecutionsApiResponse = /** status 200 Default Response */ {
  executions: {
    id: string;
    alert_id: string;
    created_at: string;
    api_key_label: string | null;
    exchange: string | null;
    symbol: string | null;
    overall_status: "success" | "partial" | "failed" | "running";
    error_code: string | null;
    error_message: string | null;
    total_ms: number | null;
    /** whether the alert came at the API key's close-only address */
    close_only: boolean;
    webhook_payload: {
      message: string;
    };
    commands_executed: {
      type: string;
      symbol: string;
      params: {
        [key: string]: string;
      };
      status: string;
      execution_time_ms: number | null;
      error_code: string | null;
      error_message: string | null;
      result: {
        [key: string]: any;
      } | null;
    }[];
  }[];
  total: number;
  has_more: boolean;
  /** asks for the page behind this one */
  next_cursor: string | null;
};
export type ListExecutionsApiArg = {
  offset?: number;
  limit?: number;
  /** `next_cursor` of the page before, in the same order */
  cursor?: string;
  /** `newest` first where it is left out; `slowest` is by `total_ms` */
  sort?: "newest" | "oldest" | "slowest" | "";
  apiKeyLabel?: string;
  exchange?: string;
  symbol?: string;
  commandType?: string;
  overallStatus?: "success" | "partial" | "failed" | "running" | "";
  /** late: an entry was not made since its alert was too old (E515); refused: nothing of the alert was executed; repeated: the alert came again before anybody had its answer; slipped: a market order was filled worse than the price it is compared with, where there is one, by 0.005 % or more */
  outcome?: "late" | "refused" | "partial" | "repeated" | "slipped" | "";
  /** received at this moment or later */
  from?: "" | string;
  /** received before this moment */
  to?: "" | string;
  /** a part of the message, or the whole of an error code, order id, client order id, alert id or id */
  search?: string;
};
export type GetExecutionApiResponse = /** status 200 Default Response */ {
  id: string;
  alert_id: string;
  created_at: string;
  api_key_label: string | null;
  exchange: string | null;
  symbol: string | null;
  overall_status: "success" | "partial" | "failed" | "running";
  error_code: string | null;
  error_message: string | null;
  total_ms: number | null;
  /** whether the alert came at the API key's close-only address */
  close_only: boolean;
  webhook_payload: {
    message: string;
    /** as it was received, where the message is not the whole of it */
    body: string | null;
  };
  commands_executed: {
    type: string;
    symbol: string;
    params: {
      [key: string]: string;
    };
    status: string;
    execution_time_ms: number | null;
    error_code: string | null;
    error_message: string | null;
    result: {
      [key: string]: any;
    } | null;
  }[];
  stages: {
    /** from the receipt until the executor had it */
    queue_ms?: number;
    /** until the first order was sent */
    plan_ms?: number;
    /** until the exchange acknowledged it */
    venue_ms?: number;
    /** until the last command was finished */
    settle_ms?: number;
  };
  events: {
    at: string;
    /** since the receipt, to the microsecond */
    after_ms: number;
    kind: string;
    /** the place of the command it is about */
    command: number | null;
    details: {
      [key: string]: any;
    };
  }[];
  /** null where that cannot be known now */
  notification: {
    /** whether Telegram is set up and on now */
    is_on: boolean;
    /** false where it is too long ago */
    is_known: boolean;
    /** when the last message about it was sent */
    sent_at: string | null;
    /** messages about it that wait to be sent */
    waiting: number;
    /** why the last attempt of any message failed */
    last_error: string | null;
  } | null;
};
export type GetExecutionApiArg = string;
export type GetExecutionSummaryApiResponse =
  /** status 200 Default Response */ {
    /** of any key, or of none */
    last_alert_at: string | null;
    failed_last_hour: number;
    /** one entry an API key, in the order of GET /api/keys */
    keys: {
      api_key_id: string;
      api_key_label: string;
      /** null while it was never used */
      last_alert_at: string | null;
      last_execution_id: string | null;
      last_status: ("success" | "partial" | "failed" | "running") | null;
      executions_24h: number;
      /** how the finished ones of 24 h ended, the refused ones among the failed; null where not known */
      counts_24h: {
        success: number;
        partial: number;
        failed: number;
        refused: number;
      } | null;
      /** of the finished ones that were not refused */
      success_rate_24h: number | null;
      /** of the commands of 24 h, without wait */
      execution_time_p50_ms: number | null;
      execution_time_p95_ms: number | null;
    }[];
  };
export type GetExecutionSummaryApiArg = void;
export type GetExecutionSumsApiResponse = /** status 200 Default Response */ {
  counts: {
    success: number;
    partial: number;
    failed: number;
    running: number;
  };
  /** among the failed ones, those of which nothing was executed */
  refused: number;
  /** of the finished ones that were not refused; null where there are none */
  success_rate: number | null;
  /** of the commands, without wait */
  execution_time_p50_ms: number | null;
  execution_time_p95_ms: number | null;
  /** bought and sold, as far as it was reported, by the coin that it was paid in */
  filled: {
    coin: string;
    amount: string;
  }[];
  /** as far as they were reported, by their coin; negative where the exchange paid */
  fees: {
    coin: string;
    amount: string;
  }[];
};
export type GetExecutionSumsApiArg = {
  apiKeyLabel?: string;
  exchange?: string;
  symbol?: string;
  commandType?: string;
  overallStatus?: "success" | "partial" | "failed" | "running" | "";
  /** late: an entry was not made since its alert was too old (E515); refused: nothing of the alert was executed; repeated: the alert came again before anybody had its answer; slipped: a market order was filled worse than the price it is compared with, where there is one, by 0.005 % or more */
  outcome?: "late" | "refused" | "partial" | "repeated" | "slipped" | "";
  /** received at this moment or later */
  from?: "" | string;
  /** received before this moment */
  to?: "" | string;
  /** a part of the message, or the whole of an error code, order id, client order id, alert id or id */
  search?: string;
};
export type ListReceiptsApiResponse = /** status 200 Default Response */ {
  receipts: {
    /** 1 for the first receipt of a user, and no number is left out */
    number: number;
    user_id: string;
    alert_id: string;
    received_at: string;
    /** of the body as it was received */
    message_sha256: string;
    /** of the receipt before; 64 zeros before the first one */
    previous_hash: string;
    hash: string;
    /** open: the end is not known yet; waiting: nobody has begun it within a minute; ended; lost: storage lost it, and nothing of it is known to have run; unstored: its answer was a 503, and it was not stored */
    state: "open" | "waiting" | "ended" | "lost" | "unstored";
    state_at: string;
    /** the beginning of what was sent, of an alert that is lost */
    message: string | null;
  }[];
  has_more: boolean;
  /** asks for the page behind this one */
  next_before: number | null;
  problems: {
    kind: "no_receipt" | "ended_twice" | "ended_after_lost";
    alert_id: string;
    found_at: string;
    text: string;
  }[];
};
export type ListReceiptsApiArg = {
  limit?: number;
  /** only those of a lower number, as `next_before` of the page before says */
  before?: number;
  state?: "open" | "waiting" | "ended" | "lost" | "unstored" | "";
};
export type PreviewCommandsApiResponse = /** status 200 Default Response */ {
  tree: {
    label: string;
    symbol: string;
    perp?: true;
    cmds: {
      /** the type of the command */
      t: string;
      side?: string | number | boolean;
      amount?: string | number | boolean;
      position?: string | number | boolean;
      price?: string | number | boolean;
      limitPrice?: string | number | boolean;
      limitOffset?: string | number | boolean;
      sl?: string | number | boolean;
      tp?: string | number | boolean;
      slLimitOffset?: string | number | boolean;
      reduceOnly?: string | number | boolean;
      postOnly?: string | number | boolean;
      tif?: string | number | boolean;
      trigger?: string | number | boolean;
      slTrigger?: string | number | boolean;
      tpTrigger?: string | number | boolean;
      tpType?: string | number | boolean;
      positionSide?: string | number | boolean;
      tag?: string | number | boolean;
      which?: string | number | boolean;
      order?: string | number | boolean;
      asset?: string | number | boolean;
      duration?: string | number | boolean;
      leverage?: string | number | boolean;
      marginMode?: string | number | boolean;
      positionMode?: string | number | boolean;
      maxOrderSize?: string | number | boolean;
      mode?: string | number | boolean;
      onPartial?: string | number | boolean;
      legs?: {
        /** the type of the command */
        t: string;
        side?: string | number | boolean;
        amount?: string | number | boolean;
        position?: string | number | boolean;
        price?: string | number | boolean;
        limitPrice?: string | number | boolean;
        limitOffset?: string | number | boolean;
        sl?: string | number | boolean;
        tp?: string | number | boolean;
        slLimitOffset?: string | number | boolean;
        reduceOnly?: string | number | boolean;
        postOnly?: string | number | boolean;
        tif?: string | number | boolean;
        trigger?: string | number | boolean;
        slTrigger?: string | number | boolean;
        tpTrigger?: string | number | boolean;
        tpType?: string | number | boolean;
        positionSide?: string | number | boolean;
        tag?: string | number | boolean;
        which?: string | number | boolean;
        order?: string | number | boolean;
        asset?: string | number | boolean;
        duration?: string | number | boolean;
        leverage?: string | number | boolean;
        marginMode?: string | number | boolean;
        positionMode?: string | number | boolean;
        maxOrderSize?: string | number | boolean;
        mode?: string | number | boolean;
        onPartial?: string | number | boolean;
      }[];
    }[];
  }[];
  diagnostics: {
    code: string;
    message: string;
    line?: number;
    column?: number;
    offset?: number;
    length?: number;
    /** the fault, in the user's words */
    cause?: string;
    /** the line of the source and, below it, a caret at the place */
    excerpt?: string;
    /** the right form */
    expected?: string;
    /** the word that was probably meant */
    suggestion?: string;
    /** the edits that mend it */
    fix?: {
      offset: number;
      length: number;
      text: string;
    };
  }[];
  plan: {
    label: string;
    symbol: string;
    exchange:
      | (
          | "bybit"
          | "bybit_spot"
          | "binance_futures_usdt"
          | "binance_spot"
          | "okx"
          | "okx_spot"
          | "paper_futures"
          | "paper_spot"
        )
      | null;
    market: {
      base: string;
      quote: string;
      quantity_step: string;
      min_quantity: string;
      max_quantity: string;
      price_tick: string;
      min_value: string;
      bid: string;
      ask: string;
      mark: string;
    } | null;
    outcome: "planned" | "refused" | "unknown";
    commands: {
      command: string;
      outcome: "orders" | "nothing" | "refused" | "skipped" | "acts";
      orders: {
        type:
          | "market"
          | "limit"
          | "stop"
          | "stopLimit"
          | "takeProfit"
          | "takeProfitLimit";
        side: "buy" | "sell";
        /** base units; 0 where quote_quantity says what is spent */
        quantity: string;
        quote_quantity?: string;
        price?: string;
        trigger_price?: string;
        trigger?: "mark" | "last" | "index";
        time_in_force?: "gtc" | "ioc" | "fok" | "postOnly";
        reduce_only: boolean;
        position_side: "both" | "long" | "short";
        /** the basis and the arithmetic of the size */
        sizing: string;
        /** the arithmetic of the price */
        pricing?: string;
        warnings: {
          code: string;
          text: string;
        }[];
      }[];
      /** where one of several orders ends the others */
      group: {
        kept_by: "venue" | "executor";
        mode: "cancel" | "reduce";
        on_partial: "reduce" | "cancel" | "keep";
      } | null;
      cancels: {
        client_order_id: string;
        side: "buy" | "sell";
        type: string;
        amount: string;
        /** the limit, or else the trigger */
        price: string | null;
      }[];
      note: string | null;
      error_code: string | null;
      error: string | null;
    }[];
    error_code: string | null;
    error: string | null;
  }[];
};
export type PreviewCommandsApiArg = {
  message: string;
  /** as in the webhook configuration */
  alert_format?:
    | "tripline"
    | "3commas"
    | "traderspost"
    | "wundertrading"
    | "tvhub"
    | "finandy"
    | "autoview"
    | "whook";
};
export type ListAccountsApiResponse = /** status 200 Default Response */ {
  accounts: {
    api_key_id: string;
    label: string;
    exchange:
      | "bybit"
      | "bybit_spot"
      | "binance_futures_usdt"
      | "binance_spot"
      | "okx"
      | "okx_spot"
      | "paper_futures"
      | "paper_spot";
    is_testnet: boolean;
    /** when the exchange was asked; null where it could not be */
    read_at: string | null;
    statement: {
      /** in USDT, or in USD where the exchange counts all coins */
      equity: string | null;
      available: string | null;
      balances: {
        coin: string;
        total: string;
        /** the part that is not bound by orders or positions */
        free: string;
      }[];
      positions: {
        symbol: string;
        side: "long" | "short";
        /** which of the positions of a symbol it is in hedge mode; both where there is one */
        position_side: "both" | "long" | "short";
        /** base units, without a sign */
        size: string;
        entry_price: string | null;
        mark_price: string | null;
        unrealized_pnl: string | null;
        margin: string | null;
        liquidation_price: string | null;
      }[];
      orders: {
        client_order_id: string;
        exchange_order_id: string;
        /** of the alert that placed it; null where it was placed by hand */
        execution_id: string | null;
        symbol: string;
        side: "buy" | "sell";
        type:
          | "market"
          | "limit"
          | "stop"
          | "stopLimit"
          | "takeProfit"
          | "takeProfitLimit"
          | "other";
        price: string | null;
        trigger_price: string | null;
        /** base units; 0 for one that closes all of a position */
        amount: string;
        filled: string;
        reduce_only: boolean;
        /** it can only close a position, and there is none on its side */
        protects_nothing: boolean;
        created_at: string | null;
      }[];
      /** how many open orders there are besides */
      orders_left_out: number;
    } | null;
    error_code: string | null;
    error: string | null;
  }[];
};
export type ListAccountsApiArg =
  /** the account of this API key alone */ string | undefined;
