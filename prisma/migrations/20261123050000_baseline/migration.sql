-- The whole schema, ordered by noun. Until the first release, changes of the schema edit this file.
--
-- Indexes and keys without a comment serve the lists, lookups and foreign keys that their names state.
-- Text is collated "C", so that it is compared and sorted by bytes on every server.

-- Everything a merchant owns belongs to one mode.
CREATE TYPE mode AS ENUM ('live', 'sandbox');

-- Rejects changes of append-only tables, with two exceptions. The rows of an imported merchant that was never activated may
-- be deleted, because the originals are in another installation. The reset of a sandbox deletes allocations of simulated
-- money, never of live payments.
CREATE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND ((TG_TABLE_NAME = 'allocation' AND OLD.mode = 'sandbox')
    OR EXISTS (SELECT FROM merchant WHERE id = OLD.merchant_id AND move_status = 'imported')) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;


-- ============================================================
-- Merchants
-- ============================================================

CREATE TYPE restricted_access AS ENUM ('none', 'requested', 'granted');

CREATE TYPE merchant_move_status AS ENUM ('pausing', 'paused', 'moved', 'imported');

CREATE TABLE merchant (
  id                               text COLLATE "C" PRIMARY KEY,
  name                             text COLLATE "C" NOT NULL,
  restricted_access                restricted_access NOT NULL DEFAULT 'none',
  demo                             boolean NOT NULL DEFAULT false,
  sandbox_only                     boolean NOT NULL DEFAULT false,
  time_zone                        text COLLATE "C" NOT NULL DEFAULT 'UTC',
  postal_address                   text COLLATE "C" NOT NULL DEFAULT '',
  tax_number                       text COLLATE "C" NOT NULL DEFAULT '',
  display_name                     text COLLATE "C" NOT NULL DEFAULT '',
  brand_color                      text COLLATE "C" NOT NULL DEFAULT '',
  logo                             text COLLATE "C" NOT NULL DEFAULT '',
  email_receipts                   boolean NOT NULL DEFAULT false,
  support_email             text COLLATE "C" NOT NULL DEFAULT '',
  website_url               text COLLATE "C" NOT NULL DEFAULT '',
  terms_url                 text COLLATE "C" NOT NULL DEFAULT '',
  privacy_url               text COLLATE "C" NOT NULL DEFAULT '',
  country                   text COLLATE "C" NOT NULL DEFAULT '',
  is_secure_mode_enabled           boolean NOT NULL DEFAULT false,
  underpayment_tolerance           numeric(5,4) NOT NULL DEFAULT 0,
  redirect_schemes                 text[] COLLATE "C",
  additional_phone_countries       text[] COLLATE "C" DEFAULT ARRAY[]::text[],
  hash_key_encrypted               text COLLATE "C" NOT NULL,
  markup                           numeric(5,4) NOT NULL DEFAULT 0,
  payment_windows                  jsonb NOT NULL DEFAULT '{}',
  max_rate_age_days                integer NOT NULL DEFAULT 6,
  is_two_factor_required           boolean NOT NULL DEFAULT false,
  reauthentication_minutes         integer NOT NULL DEFAULT 15,
  disabled_operations              text[] COLLATE "C" DEFAULT ARRAY[]::text[],
  restricted_access_requested_at   timestamptz(3),
  restricted_access_decline_reason text COLLATE "C",
  disabled_at                      timestamptz(3),
  move_status                      merchant_move_status,
  moved_to                         text COLLATE "C",
  move_code_hash                   text COLLATE "C",
  move_code_encrypted              text COLLATE "C",
  test_clock_offset_ms             bigint NOT NULL DEFAULT 0,
  test_clock_target                timestamptz(3),
  test_clock_leased_until          timestamptz(3),
  created_at                       timestamptz(3) NOT NULL,
  updated_at                       timestamptz(3) NOT NULL,

  CONSTRAINT merchant_settings_in_range CHECK (
    markup BETWEEN 0 AND 0.1 AND underpayment_tolerance BETWEEN 0 AND 0.02 AND max_rate_age_days BETWEEN 1 AND 31
  ),
  CONSTRAINT merchant_test_clock_not_behind CHECK (test_clock_offset_ms >= 0),
  CONSTRAINT merchant_moved_to_known CHECK ((move_status IS NOT DISTINCT FROM 'moved') = (moved_to IS NOT NULL)),
  -- Without the code of its export, an imported merchant could run in two installations.
  CONSTRAINT merchant_move_code_known CHECK (move_status IS DISTINCT FROM 'imported' OR move_code_hash IS NOT NULL)
);

-- Finds the merchants that do not run here, which every sweep excludes.
CREATE INDEX merchant_move_idx ON merchant (id) WHERE move_status IS NOT NULL;

-- Finds the sandboxes whose test clock is ahead.
CREATE INDEX merchant_test_clock_idx ON merchant (id) WHERE test_clock_offset_ms > 0;

-- Every process caches merchants, and clears its cache when the change commits.
CREATE FUNCTION notify_merchant_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('causeway', OLD.id || ' ' || OLD.id || ' live');
  RETURN NULL;
END $$;

CREATE TRIGGER merchant_changed AFTER UPDATE OR DELETE ON merchant
  FOR EACH ROW EXECUTE FUNCTION notify_merchant_change();

CREATE TABLE merchant_logo (
  key         text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  bytes       bytea NOT NULL,

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE UNIQUE INDEX merchant_logo_merchant_id_key ON merchant_logo (merchant_id);

-- A PNG file is compressed already, so PostgreSQL does not try.
ALTER TABLE merchant_logo ALTER COLUMN bytes SET STORAGE EXTERNAL;


-- ============================================================
-- Users
-- ============================================================

CREATE TYPE user_role AS ENUM ('owner', 'developer', 'accountant', 'support', 'cashier', 'read_only', 'operator');

CREATE TABLE merchant_user (
  id                     text COLLATE "C" PRIMARY KEY,
  merchant_id            text COLLATE "C",
  email                  text COLLATE "C" NOT NULL,
  name                   text COLLATE "C" NOT NULL DEFAULT '',
  password_hash          text COLLATE "C" NOT NULL,
  role                   user_role NOT NULL,
  totp_encrypted         text COLLATE "C",
  pending_totp_encrypted text COLLATE "C",
  last_totp_step         bigint,
  chat_url_encrypted     text COLLATE "C",
  removed_at             timestamptz(3),
  created_at             timestamptz(3) NOT NULL,

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

-- An email address that belonged to a removed user can be used again.
CREATE UNIQUE INDEX merchant_user_email_key ON merchant_user (email) WHERE removed_at IS NULL;

CREATE INDEX merchant_user_merchant_id_id_idx ON merchant_user (merchant_id, id DESC);

CREATE TABLE user_session (
  token_hash         text COLLATE "C" PRIMARY KEY,
  id                 text COLLATE "C" NOT NULL,
  user_id            text COLLATE "C" NOT NULL,
  ip_address         text COLLATE "C",
  user_agent         text COLLATE "C",
  last_seen_at       timestamptz(3) NOT NULL,
  reauthenticated_at timestamptz(3),
  created_at         timestamptz(3) NOT NULL,
  expires_at         timestamptz(3) NOT NULL,

  FOREIGN KEY (user_id) REFERENCES merchant_user (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE UNIQUE INDEX user_session_id_key ON user_session (id);
CREATE INDEX user_session_user_id_idx ON user_session (user_id);

CREATE TABLE recovery_code (
  code_hash  text COLLATE "C" PRIMARY KEY,
  user_id    text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,

  FOREIGN KEY (user_id) REFERENCES merchant_user (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE INDEX recovery_code_user_id_idx ON recovery_code (user_id);

CREATE TABLE password_reset_request (
  id         bigserial PRIMARY KEY,
  email      text COLLATE "C" NOT NULL,
  ip_address text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE password_reset (
  user_id    text COLLATE "C" PRIMARY KEY,
  token_hash text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,

  FOREIGN KEY (user_id) REFERENCES merchant_user (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE UNIQUE INDEX password_reset_token_hash_key ON password_reset (token_hash);

CREATE TABLE email_change (
  user_id    text COLLATE "C" PRIMARY KEY,
  email      text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,

  FOREIGN KEY (user_id) REFERENCES merchant_user (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE UNIQUE INDEX email_change_token_hash_key ON email_change (token_hash);

CREATE TABLE user_invitation (
  id           text COLLATE "C" PRIMARY KEY,
  merchant_id  text COLLATE "C" NOT NULL,
  email        text COLLATE "C" NOT NULL,
  role         user_role NOT NULL,
  token_hash   text COLLATE "C" NOT NULL,
  invited_by   text COLLATE "C" NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  sent_at      timestamptz(3) NOT NULL,
  expires_at   timestamptz(3) NOT NULL,

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE UNIQUE INDEX user_invitation_merchant_id_email_key ON user_invitation (merchant_id, email);
CREATE UNIQUE INDEX user_invitation_token_hash_key ON user_invitation (token_hash);
CREATE INDEX user_invitation_merchant_id_id_idx ON user_invitation (merchant_id, id DESC);

CREATE TYPE attempt_kind AS ENUM ('sign_in', 'reauthentication', 'password_reset', 'link', 'invitation');

CREATE TABLE authentication_attempt (
  id           bigserial PRIMARY KEY,
  kind         attempt_kind NOT NULL DEFAULT 'sign_in',
  network      text COLLATE "C" NOT NULL,
  account_hash text COLLATE "C" NOT NULL,
  failed       boolean NOT NULL DEFAULT true,
  not_before   timestamptz(3) NOT NULL,
  created_at   timestamptz(3) NOT NULL
);

CREATE INDEX authentication_attempt_account_hash_created_at_idx ON authentication_attempt (account_hash, created_at);
CREATE INDEX authentication_attempt_network_created_at_idx ON authentication_attempt (network, created_at);
CREATE INDEX authentication_attempt_created_at_idx ON authentication_attempt (created_at);


-- ============================================================
-- API keys
-- ============================================================

CREATE TYPE api_key_kind AS ENUM ('secret', 'publishable');

CREATE TABLE api_key (
  id              text COLLATE "C" PRIMARY KEY,
  merchant_id     text COLLATE "C" NOT NULL,
  mode            mode NOT NULL,
  kind            api_key_kind NOT NULL,
  name            text COLLATE "C" NOT NULL,
  key             text COLLATE "C" NOT NULL,
  secret_hash     text COLLATE "C",
  permissions     text[] COLLATE "C",
  allowed_origins text[] COLLATE "C",
  created_at      timestamptz(3) NOT NULL,
  last_used_at    timestamptz(3),
  expires_at      timestamptz(3),
  revoked_at      timestamptz(3),
  replaced_by_id  text COLLATE "C",

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE UNIQUE INDEX api_key_key_key ON api_key (key);
CREATE INDEX api_key_merchant_id_mode_idx ON api_key (merchant_id, mode);

-- Every process caches API keys, and clears its cache when the change commits.
CREATE FUNCTION notify_api_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('causeway', OLD.id || ' ' || OLD.merchant_id || ' ' || OLD.mode);
  RETURN NULL;
END $$;

-- The time of the last use is written often and is not cached.
CREATE TRIGGER api_key_changed AFTER UPDATE ON api_key
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'last_used_at' IS DISTINCT FROM to_jsonb(NEW) - 'last_used_at')
  EXECUTE FUNCTION notify_api_key_change();

CREATE TRIGGER api_key_deleted AFTER DELETE ON api_key
  FOR EACH ROW EXECUTE FUNCTION notify_api_key_change();


-- ============================================================
-- Certificates
-- ============================================================

CREATE TABLE certificate (
  id                    text COLLATE "C" PRIMARY KEY,
  merchant_id           text COLLATE "C" NOT NULL,
  mode                  mode NOT NULL,
  public_key            text COLLATE "C" NOT NULL,
  private_key_encrypted text COLLATE "C" NOT NULL,
  signs_from            timestamptz(3) NOT NULL,
  created_at            timestamptz(3) NOT NULL,
  revoked_at            timestamptz(3),

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE INDEX certificate_merchant_id_mode_idx ON certificate (merchant_id, mode);


-- ============================================================
-- Webhooks
-- ============================================================

CREATE TABLE webhook (
  id                                 text COLLATE "C" PRIMARY KEY,
  merchant_id                        text COLLATE "C" NOT NULL,
  mode                               mode NOT NULL,
  name                               text COLLATE "C" NOT NULL DEFAULT '',
  url                                text COLLATE "C" NOT NULL,
  username                           text COLLATE "C" NOT NULL,
  password_encrypted                 text COLLATE "C" NOT NULL,
  version                            text COLLATE "C" NOT NULL DEFAULT '0.9',
  event_types                        text[] COLLATE "C",
  concurrency                        integer,
  rate_per_second                    integer,
  consecutive_failures               integer NOT NULL DEFAULT 0,
  failing_since                      timestamptz(3),
  failure_alerted_at                 timestamptz(3),
  signing_secret_encrypted           text COLLATE "C",
  previous_signing_secret_encrypted  text COLLATE "C",
  previous_signing_secret_expires_at timestamptz(3),
  leased_by                          text COLLATE "C",
  leased_until                       timestamptz(3),
  disabled_at                        timestamptz(3),
  disabled_reason                    text COLLATE "C",
  deleted_at                         timestamptz(3),
  created_at                         timestamptz(3) NOT NULL,
  updated_at                         timestamptz(3) NOT NULL,

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT webhook_limits_positive CHECK (concurrency > 0 AND rate_per_second > 0)
);

CREATE INDEX webhook_merchant_id_mode_idx ON webhook (merchant_id, mode);


-- ============================================================
-- Customers
-- ============================================================

CREATE TABLE customer (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  mode        mode NOT NULL,
  email       text COLLATE "C",
  phone       text COLLATE "C",
  first_name  text COLLATE "C",
  last_name   text COLLATE "C",
  note        text COLLATE "C",
  created_at  timestamptz(3) NOT NULL,
  updated_at  timestamptz(3) NOT NULL
);

-- A customer without an email address is identified by the phone.
CREATE UNIQUE INDEX customer_phone_only_key ON customer (merchant_id, mode, phone) WHERE email IS NULL;

CREATE UNIQUE INDEX customer_merchant_id_mode_email_key ON customer (merchant_id, mode, email);
CREATE INDEX customer_merchant_id_mode_id_idx ON customer (merchant_id, mode, id DESC);
CREATE INDEX customer_merchant_id_mode_phone_idx ON customer (merchant_id, mode, phone);
-- Lists the customers with contact details, skipping the anonymous ones of a counter.
CREATE INDEX customer_identified_idx ON customer (merchant_id, mode, id DESC)
  WHERE email IS NOT NULL OR phone IS NOT NULL;


-- ============================================================
-- Receiving accounts
-- ============================================================

CREATE TYPE receiving_account_status AS ENUM ('active', 'retired');

CREATE TABLE receiving_account (
  id                     text COLLATE "C" PRIMARY KEY,
  merchant_id            text COLLATE "C" NOT NULL,
  mode                   mode NOT NULL,
  method                 text COLLATE "C" NOT NULL,
  status                 receiving_account_status NOT NULL DEFAULT 'active',
  details                jsonb NOT NULL,
  account                text COLLATE "C" NOT NULL,
  bank                   text COLLATE "C" NOT NULL,
  holder                 text COLLATE "C" NOT NULL,
  currency               text COLLATE "C" NOT NULL,
  time_zone              text COLLATE "C" NOT NULL,
  weight                 integer NOT NULL DEFAULT 1,
  min_amount             bigint,
  max_amount             bigint,
  payment_window_minutes integer,
  max_amount_offset      integer,
  max_bank_fee           bigint,
  max_bank_fee_rate      numeric(5, 4),
  reuses_bank_references boolean NOT NULL DEFAULT false,
  ignored_texts          text[] NOT NULL DEFAULT '{}',
  references_low_at      timestamptz(3),
  shared_bank_account_id text COLLATE "C",
  demo                   boolean NOT NULL DEFAULT false,
  retired_at             timestamptz(3),
  created_at             timestamptz(3) NOT NULL,
  updated_at             timestamptz(3) NOT NULL,

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT receiving_account_settings_in_range CHECK (
    weight BETWEEN 1 AND 100 AND max_amount_offset BETWEEN 1 AND 999
      AND payment_window_minutes BETWEEN 5 AND 43200 AND min_amount > 0 AND max_amount > 0
      AND max_bank_fee > 0 AND max_bank_fee_rate > 0 AND max_bank_fee_rate <= 0.05
  ),
  CONSTRAINT receiving_account_retired_at_consistent CHECK ((retired_at IS NOT NULL) = (status = 'retired')),
  -- Prevents cycles.
  CONSTRAINT receiving_account_shared_with_older CHECK (shared_bank_account_id < id)
);

-- Finds the accounts that are short of free payment references.
CREATE INDEX receiving_account_references_low_idx ON receiving_account (references_low_at)
  WHERE references_low_at IS NOT NULL;

-- Finds the receiving accounts that are one bank account.
CREATE INDEX receiving_account_bank_account_idx ON receiving_account (coalesce(shared_bank_account_id, id));

CREATE INDEX receiving_account_merchant_id_mode_method_status_idx
  ON receiving_account (merchant_id, mode, method, status);

-- Every process caches receiving accounts, and clears its cache when the change commits.
CREATE FUNCTION notify_receiving_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account receiving_account := coalesce(NEW, OLD);
BEGIN
  PERFORM pg_notify('causeway', account.id || ' ' || account.merchant_id || ' ' || account.mode);
  RETURN NULL;
END $$;

CREATE TRIGGER receiving_account_changed AFTER INSERT OR UPDATE OR DELETE ON receiving_account
  FOR EACH ROW EXECUTE FUNCTION notify_receiving_account_change();


-- ============================================================
-- Exchange rates
-- ============================================================

CREATE TABLE forex_rate (
  source     text COLLATE "C" NOT NULL,
  currency   text COLLATE "C" NOT NULL,
  base       text COLLATE "C" NOT NULL,
  rate       numeric(65,30) NOT NULL,
  base_rate  numeric(65,30) NOT NULL DEFAULT 1,
  as_of      timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  set_by     text COLLATE "C",

  PRIMARY KEY (source, currency),
  CONSTRAINT forex_rate_positive CHECK (rate > 0 AND base_rate > 0)
);

-- Every process caches all rates, and clears its cache when the change commits.
CREATE FUNCTION notify_forex_rate_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('causeway', 'rates rates live');
  RETURN NULL;
END $$;

CREATE TRIGGER forex_rate_changed AFTER INSERT OR UPDATE OR DELETE ON forex_rate
  FOR EACH STATEMENT EXECUTE FUNCTION notify_forex_rate_change();


-- ============================================================
-- Checkout
-- ============================================================

CREATE TYPE session_status AS ENUM ('created', 'initiated', 'charged', 'cancelled', 'expired');

CREATE TABLE checkout_link (
  id              text COLLATE "C" PRIMARY KEY,
  merchant_id     text COLLATE "C" NOT NULL,
  mode            mode NOT NULL,
  name            text COLLATE "C" NOT NULL DEFAULT '',
  amount          bigint,
  amount_minimum  bigint,
  amount_maximum  bigint,
  currency        text COLLATE "C" NOT NULL,
  orders          jsonb NOT NULL,
  payment_methods jsonb,
  notify_payload  text COLLATE "C",
  metadata jsonb,
  redirect_url    text COLLATE "C",
  customer        jsonb,
  usage_limit     integer,
  uses            integer NOT NULL DEFAULT 0,
  paid            integer NOT NULL DEFAULT 0,
  expires_at      timestamptz(3),
  closed_at       timestamptz(3),
  created_at      timestamptz(3) NOT NULL,

  CONSTRAINT checkout_link_amount_positive CHECK (amount > 0),
  -- Only an amount that the customer chooses has limits.
  CONSTRAINT checkout_link_limits CHECK (
    (amount IS NULL OR (amount_minimum IS NULL AND amount_maximum IS NULL))
    AND amount_minimum > 0 AND amount_maximum > 0 AND amount_minimum <= amount_maximum
  )
);

CREATE INDEX checkout_link_merchant_id_mode_id_idx ON checkout_link (merchant_id, mode, id);

CREATE TABLE checkout_session (
  id             text COLLATE "C" PRIMARY KEY,
  merchant_id    text COLLATE "C" NOT NULL,
  mode           mode NOT NULL,
  status         session_status NOT NULL DEFAULT 'created',
  amount         bigint NOT NULL,
  currency       text COLLATE "C" NOT NULL,
  orders         jsonb NOT NULL,
  methods        text[] COLLATE "C",
  notify_url     text COLLATE "C",
  notify_payload text COLLATE "C",
  metadata jsonb,
  redirect_url   text COLLATE "C",
  cancel_url     text COLLATE "C",
  language       text COLLATE "C",
  customer       jsonb,
  claim_hash     text COLLATE "C",
  version        integer NOT NULL DEFAULT 0,
  expires_at     timestamptz(3) NOT NULL,
  last_expires_at timestamptz(3),
  seller_id      text COLLATE "C",
  created_at     timestamptz(3) NOT NULL,
  updated_at     timestamptz(3) NOT NULL,

  CONSTRAINT checkout_session_amount_positive CHECK (amount > 0)
);

-- Finds the sessions that have to expire.
CREATE INDEX checkout_session_open_expires_at_idx ON checkout_session (expires_at)
  WHERE status IN ('created', 'initiated');

-- Finds sessions by the merchant's own data.
CREATE INDEX checkout_session_notify_payload_idx ON checkout_session USING spgist (notify_payload) WHERE notify_payload IS NOT NULL;
CREATE INDEX checkout_session_metadata_idx ON checkout_session USING gin (metadata jsonb_path_ops) WHERE metadata IS NOT NULL;

CREATE INDEX checkout_session_merchant_id_mode_id_idx ON checkout_session (merchant_id, mode, id);

-- Finds the sales of a user at the counter.
CREATE INDEX checkout_session_seller_id_idx ON checkout_session (merchant_id, mode, seller_id, id)
  WHERE seller_id IS NOT NULL;

CREATE TABLE checkout_slot (
  object_id    text COLLATE "C" NOT NULL,
  network_hash text COLLATE "C" NOT NULL,
  merchant_id  text COLLATE "C" NOT NULL,
  mode         mode NOT NULL,
  expires_at   timestamptz(3) NOT NULL,
  created_at   timestamptz(3) NOT NULL,

  PRIMARY KEY (object_id, network_hash)
);

CREATE INDEX checkout_slot_created_at_idx ON checkout_slot (created_at);
CREATE INDEX checkout_slot_network_hash_created_at_idx ON checkout_slot (network_hash, created_at);


-- ============================================================
-- Subscriptions
-- ============================================================

CREATE TYPE period_unit AS ENUM ('days', 'months', 'years');

CREATE TYPE subscription_plan_status AS ENUM ('active', 'inactive');

CREATE TYPE subscription_status AS ENUM ('inactive', 'active', 'completed', 'cancelled');

CREATE TABLE subscription_plan (
  id             text COLLATE "C" PRIMARY KEY,
  merchant_id    text COLLATE "C" NOT NULL,
  mode           mode NOT NULL,
  name           text COLLATE "C" NOT NULL,
  status         subscription_plan_status NOT NULL DEFAULT 'active',
  currency       text COLLATE "C" NOT NULL,
  amount         bigint NOT NULL,
  period         period_unit NOT NULL,
  count          integer NOT NULL,
  initial_amount bigint,
  initial_period period_unit,
  initial_count  integer,
  num_payments   integer,
  send_email     boolean NOT NULL DEFAULT true,
  invoice_notice integer NOT NULL DEFAULT 2,
  grace_period   integer NOT NULL DEFAULT 1,
  orders         jsonb NOT NULL,
  methods        text[] COLLATE "C",
  tax_name       text COLLATE "C",
  tax_rate       numeric(7, 4),
  tax_inclusive  boolean NOT NULL DEFAULT true,
  created_at     timestamptz(3) NOT NULL,
  updated_at     timestamptz(3) NOT NULL,

  CONSTRAINT subscription_plan_tax_valid CHECK (
    (tax_name IS NULL) = (tax_rate IS NULL) AND tax_rate > 0 AND tax_rate <= 100
  ),
  CONSTRAINT subscription_plan_terms_valid CHECK (
    amount > 0 AND count BETWEEN 1 AND 400 AND initial_amount >= 0 AND initial_count BETWEEN 1 AND 400
      AND (initial_period IS NULL) = (initial_count IS NULL) AND num_payments > 0 AND invoice_notice >= 0
      AND grace_period >= 0
  )
);

CREATE INDEX subscription_plan_merchant_id_mode_id_idx ON subscription_plan (merchant_id, mode, id DESC);

CREATE TABLE subscription_link (
  id             text COLLATE "C" PRIMARY KEY,
  merchant_id    text COLLATE "C" NOT NULL,
  mode           mode NOT NULL,
  plan_id        text COLLATE "C" NOT NULL,
  methods        text[] COLLATE "C",
  notify_payload text COLLATE "C",
  metadata jsonb,
  redirect_url   text COLLATE "C",
  customer       jsonb,
  created_at     timestamptz(3) NOT NULL,

  FOREIGN KEY (plan_id) REFERENCES subscription_plan (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE INDEX subscription_link_merchant_id_mode_id_idx ON subscription_link (merchant_id, mode, id DESC);

CREATE TABLE subscription (
  id                    text COLLATE "C" PRIMARY KEY,
  merchant_id           text COLLATE "C" NOT NULL,
  mode                  mode NOT NULL,
  plan_id               text COLLATE "C" NOT NULL,
  link_id               text COLLATE "C" NOT NULL,
  status                subscription_status NOT NULL DEFAULT 'inactive',
  customer_id           text COLLATE "C" NOT NULL,
  email                 text COLLATE "C",
  phone                 text COLLATE "C",
  first_name            text COLLATE "C",
  last_name             text COLLATE "C",
  language              text COLLATE "C" NOT NULL DEFAULT 'en',
  method                text COLLATE "C" NOT NULL,
  customer_currency     text COLLATE "C" NOT NULL,
  methods               text[] COLLATE "C",
  notify_payload        text COLLATE "C",
  metadata jsonb,
  redirect_url          text COLLATE "C",
  amount                bigint NOT NULL,
  full_price            bigint NOT NULL,
  num_payments_complete integer NOT NULL DEFAULT 0,
  active_until          timestamptz(3),
  next_payment          timestamptz(3),
  anchor_day            integer,
  due_at                timestamptz(3),
  reminders_disabled    boolean NOT NULL DEFAULT false,
  link_version          integer NOT NULL DEFAULT 0,
  version               integer NOT NULL DEFAULT 0,
  paid_at               timestamptz(3),
  paused_at             timestamptz(3),
  resumes_at            timestamptz(3),
  ended_at              timestamptz(3),
  created_at            timestamptz(3) NOT NULL,
  updated_at            timestamptz(3) NOT NULL,

  FOREIGN KEY (customer_id) REFERENCES customer (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (link_id) REFERENCES subscription_link (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (plan_id) REFERENCES subscription_plan (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT subscription_amount_positive CHECK (amount > 0),
  CONSTRAINT subscription_anchor_day_in_range CHECK (anchor_day BETWEEN 1 AND 31)
);

-- Finds subscriptions by the merchant's own data.
CREATE INDEX subscription_notify_payload_idx ON subscription USING spgist (notify_payload)
  WHERE notify_payload IS NOT NULL;
CREATE INDEX subscription_metadata_idx ON subscription USING gin (metadata jsonb_path_ops)
  WHERE metadata IS NOT NULL;

-- Finds the subscriptions that the renewal job has to process.
CREATE INDEX subscription_due_at_idx ON subscription (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX subscription_customer_id_id_idx ON subscription (customer_id, id DESC);
CREATE INDEX subscription_merchant_id_mode_id_idx ON subscription (merchant_id, mode, id DESC);
CREATE INDEX subscription_merchant_id_mode_phone_idx ON subscription (merchant_id, mode, phone);
CREATE INDEX subscription_merchant_id_mode_plan_id_id_idx ON subscription (merchant_id, mode, plan_id, id DESC);


-- ============================================================
-- Invoices
-- ============================================================

CREATE TYPE invoice_status AS ENUM ('open', 'paid', 'void');

CREATE TABLE invoice (
  id               text COLLATE "C" PRIMARY KEY,
  merchant_id      text COLLATE "C" NOT NULL,
  mode             mode NOT NULL,
  subscription_id  text COLLATE "C" NOT NULL,
  number           integer NOT NULL,
  status           invoice_status NOT NULL DEFAULT 'open',
  amount           bigint NOT NULL,
  currency         text COLLATE "C" NOT NULL,
  tax_amount       bigint NOT NULL DEFAULT 0,
  tax_name         text COLLATE "C",
  tax_rate         numeric(7, 4),
  tax_inclusive    boolean NOT NULL DEFAULT true,
  period           period_unit NOT NULL,
  count            integer NOT NULL,
  period_start     timestamptz(3) NOT NULL,
  period_end       timestamptz(3) NOT NULL,
  merchant_name    text COLLATE "C" NOT NULL,
  merchant_address text COLLATE "C" NOT NULL,
  merchant_tax_number text COLLATE "C" NOT NULL DEFAULT '',
  plan_name        text COLLATE "C" NOT NULL,
  orders           jsonb NOT NULL,
  charge_id        text COLLATE "C",
  due_at           timestamptz(3) NOT NULL,
  due_notified_at  timestamptz(3),
  reminded_at      timestamptz(3),
  resent_at        timestamptz(3),
  voided_at        timestamptz(3),
  replaced_by_id   text COLLATE "C",
  paid_externally  boolean NOT NULL DEFAULT false,
  link_version     integer NOT NULL DEFAULT 0,
  version          integer NOT NULL DEFAULT 0,
  paid_at          timestamptz(3),
  created_at       timestamptz(3) NOT NULL,
  updated_at       timestamptz(3) NOT NULL,

  FOREIGN KEY (subscription_id) REFERENCES subscription (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT invoice_amount_positive CHECK (amount > 0),
  CONSTRAINT invoice_tax_valid CHECK (tax_amount BETWEEN 0 AND amount AND (tax_name IS NULL) = (tax_rate IS NULL))
);

-- A subscription has at most one open invoice.
CREATE UNIQUE INDEX invoice_open_key ON invoice (subscription_id) WHERE status = 'open';

CREATE UNIQUE INDEX invoice_merchant_id_mode_number_key ON invoice (merchant_id, mode, number);
-- Few invoices are open. The lists of open and of overdue invoices read only these.
CREATE INDEX invoice_unpaid_idx ON invoice (merchant_id, mode, id DESC) WHERE status = 'open';
CREATE INDEX invoice_merchant_id_mode_id_idx ON invoice (merchant_id, mode, id DESC);
CREATE INDEX invoice_subscription_id_id_idx ON invoice (subscription_id, id DESC);

CREATE TABLE invoice_counter (
  merchant_id text COLLATE "C" NOT NULL,
  mode        mode NOT NULL,
  last        integer NOT NULL DEFAULT 0,

  PRIMARY KEY (merchant_id, mode)
);


-- ============================================================
-- Charges
-- ============================================================

CREATE TYPE charge_status AS ENUM ('pending', 'completed', 'expired', 'cancelled');

CREATE TABLE charge (
  id                   text COLLATE "C" PRIMARY KEY,
  merchant_id          text COLLATE "C" NOT NULL,
  mode                 mode NOT NULL,
  status               charge_status NOT NULL DEFAULT 'pending',
  customer_id          text COLLATE "C" NOT NULL,
  email                text COLLATE "C",
  phone                text COLLATE "C",
  first_name           text COLLATE "C",
  last_name            text COLLATE "C",
  merchant_amount      bigint NOT NULL,
  merchant_currency    text COLLATE "C" NOT NULL,
  customer_amount      bigint NOT NULL,
  customer_currency    text COLLATE "C" NOT NULL,
  amount_offset        bigint,
  rate                 numeric(30,15) NOT NULL,
  rate_source          text COLLATE "C" NOT NULL,
  rate_at              timestamptz(3) NOT NULL,
  usd_amount           bigint,
  method               text COLLATE "C" NOT NULL,
  receiving_account_id text COLLATE "C" NOT NULL,
  payment_reference    text COLLATE "C" NOT NULL,
  destination          jsonb NOT NULL,
  orders               jsonb NOT NULL,
  notify_payload       text COLLATE "C",
  metadata jsonb,
  note                 text COLLATE "C",
  notify_url           text COLLATE "C",
  redirect_url         text COLLATE "C",
  language             text COLLATE "C",
  session_id           text COLLATE "C",
  checkout_link_id     text COLLATE "C",
  subscription_id      text COLLATE "C",
  invoice_id           text COLLATE "C",
  replaces_id          text COLLATE "C",
  is_reusable          boolean NOT NULL DEFAULT false,
  amount_received      bigint NOT NULL DEFAULT 0,
  fee_amount           bigint NOT NULL DEFAULT 0,
  completed_by         text COLLATE "C",
  version              integer NOT NULL DEFAULT 0,
  expires_at           timestamptz(3) NOT NULL,
  completed_at         timestamptz(3),
  created_at           timestamptz(3) NOT NULL,
  updated_at           timestamptz(3) NOT NULL,

  FOREIGN KEY (checkout_link_id) REFERENCES checkout_link (id) ON UPDATE CASCADE ON DELETE SET NULL,
  FOREIGN KEY (customer_id) REFERENCES customer (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (invoice_id) REFERENCES invoice (id) ON UPDATE CASCADE ON DELETE SET NULL,
  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (receiving_account_id) REFERENCES receiving_account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (session_id) REFERENCES checkout_session (id) ON UPDATE CASCADE ON DELETE SET NULL,
  FOREIGN KEY (subscription_id) REFERENCES subscription (id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT charge_amounts_positive CHECK (merchant_amount > 0 AND customer_amount > 0),
  CONSTRAINT charge_amount_offset_in_range CHECK (amount_offset >= 0 AND amount_offset < customer_amount)
);

-- A payment reference identifies one pending charge of its receiving account.
CREATE UNIQUE INDEX charge_pending_payment_reference_key ON charge (receiving_account_id, payment_reference)
  WHERE status = 'pending';

-- Where only the amount identifies a payment, pending charges of an account have different amounts.
CREATE UNIQUE INDEX charge_pending_amount_key ON charge (receiving_account_id, customer_amount)
  WHERE status = 'pending' AND amount_offset IS NOT NULL;

-- A session has one first charge; every other charge of the session replaces an earlier one.
CREATE UNIQUE INDEX charge_session_id_key ON charge (session_id)
  WHERE session_id IS NOT NULL AND replaces_id IS NULL;

-- Few charges belong to a session, so NULL is left out.
CREATE INDEX charge_session_id_idx ON charge (session_id) WHERE session_id IS NOT NULL;

-- A charge is replaced at most once. Few charges replace one, so NULL is left out.
CREATE UNIQUE INDEX charge_replaces_id_key ON charge (replaces_id) WHERE replaces_id IS NOT NULL;

-- Few charges belong to a checkout link, a subscription or an invoice, or have a phone.
CREATE INDEX charge_checkout_link_id_idx ON charge (checkout_link_id, id DESC) WHERE checkout_link_id IS NOT NULL;
CREATE INDEX charge_subscription_id_idx ON charge (subscription_id, id DESC) WHERE subscription_id IS NOT NULL;
CREATE INDEX charge_invoice_id_idx ON charge (invoice_id, id DESC) WHERE invoice_id IS NOT NULL;
CREATE INDEX charge_phone_idx ON charge (merchant_id, mode, phone, id DESC) WHERE phone IS NOT NULL;

-- Finds the charges that have to expire.
CREATE INDEX charge_pending_expires_at_idx ON charge (expires_at) WHERE status = 'pending';

-- Sums up what a merchant collected in a span of time, without reading the charges themselves.
CREATE INDEX charge_completed_at_idx ON charge (merchant_id, mode, completed_at)
  INCLUDE (method, customer_currency, customer_amount, amount_received, completed_by) WHERE status = 'completed';

-- Finds the charge that requested an amount when it was paid, and the amounts in use.
CREATE INDEX charge_amount_offset_idx ON charge (receiving_account_id, customer_amount, expires_at)
  WHERE amount_offset IS NOT NULL;

-- Finds the charges that a transfer without a payment reference may pay.
CREATE INDEX charge_unpaid_amount_idx ON charge (receiving_account_id, customer_amount, created_at)
  WHERE status <> 'completed';

-- Lists the charges that received a part of their amount. Few charges do, and only until they complete.
CREATE INDEX charge_partly_paid_idx ON charge (merchant_id, mode, id DESC)
  WHERE completed_at IS NULL AND amount_received > 0;

-- Searches charges by the ID of an order.
CREATE INDEX charge_orders_idx ON charge USING gin (orders jsonb_path_ops);

-- Finds charges by the merchant's own data. All charges of a link may have the same long text: a hash index becomes
-- slow with many equal values, and a B-tree rejects long ones.
CREATE INDEX charge_notify_payload_idx ON charge USING spgist (notify_payload) WHERE notify_payload IS NOT NULL;
CREATE INDEX charge_metadata_idx ON charge USING gin (metadata jsonb_path_ops) WHERE metadata IS NOT NULL;

-- Finds the charges of a customer, and the pending charge that an equal request reuses.
CREATE INDEX charge_customer_id_status_merchant_amount_idx ON charge (customer_id, status, merchant_amount);

CREATE INDEX charge_merchant_id_mode_customer_currency_id_idx ON charge (merchant_id, mode, customer_currency, id DESC);
CREATE INDEX charge_merchant_id_mode_id_idx ON charge (merchant_id, mode, id DESC);
CREATE INDEX charge_merchant_id_mode_merchant_currency_merchant_amount_idx
  ON charge (merchant_id, mode, merchant_currency, merchant_amount);
CREATE INDEX charge_merchant_id_mode_status_id_idx ON charge (merchant_id, mode, status, id DESC);
CREATE INDEX charge_receiving_account_id_id_idx ON charge (receiving_account_id, id DESC);
CREATE INDEX charge_receiving_account_id_payment_reference_idx ON charge (receiving_account_id, payment_reference);

CREATE TYPE charge_count_grain AS ENUM ('all', 'month', 'day');

-- Lists read their totals from these counts instead of counting charges.
CREATE TABLE charge_count (
  merchant_id       text COLLATE "C" NOT NULL,
  mode              mode NOT NULL,
  grain             charge_count_grain NOT NULL,
  start             date NOT NULL,
  status            charge_status NOT NULL,
  method            text COLLATE "C" NOT NULL,
  customer_currency text COLLATE "C" NOT NULL,
  count             bigint NOT NULL,

  PRIMARY KEY (merchant_id, mode, grain, start, status, method, customer_currency)
);

-- Counts change by appended rows, so that concurrent transactions do not wait for a row lock. A job adds the
-- rows up.
CREATE TABLE charge_count_delta (
  id                bigserial PRIMARY KEY,
  merchant_id       text COLLATE "C" NOT NULL,
  mode              mode NOT NULL,
  day               date NOT NULL,
  method            text COLLATE "C" NOT NULL,
  customer_currency text COLLATE "C" NOT NULL,
  from_status       charge_status,
  to_status         charge_status
);

CREATE INDEX charge_count_delta_merchant_id_mode_idx ON charge_count_delta (merchant_id, mode);

CREATE FUNCTION record_charge_count_delta() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject charge := coalesce(NEW, OLD);
BEGIN
  INSERT INTO charge_count_delta (merchant_id, mode, day, method, customer_currency, from_status, to_status)
  VALUES (subject.merchant_id, subject.mode, (subject.created_at AT TIME ZONE 'UTC')::date, subject.method,
    subject.customer_currency, OLD.status, NEW.status);
  RETURN NULL;
END $$;

CREATE TRIGGER charge_counted AFTER INSERT OR DELETE ON charge
  FOR EACH ROW EXECUTE FUNCTION record_charge_count_delta();

CREATE TRIGGER charge_status_counted AFTER UPDATE OF status ON charge
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION record_charge_count_delta();


-- ============================================================
-- Statements
-- ============================================================

CREATE TABLE upload (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  mode        mode NOT NULL,
  file_name   text COLLATE "C" NOT NULL,
  size        bigint,
  sha256      text COLLATE "C",
  created_by  text COLLATE "C" NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3)
);

CREATE INDEX upload_expires_at_idx ON upload (expires_at);
CREATE INDEX upload_merchant_id_mode_expires_at_idx ON upload (merchant_id, mode, expires_at);

CREATE TABLE upload_chunk (
  upload_id text COLLATE "C" NOT NULL,
  position  integer NOT NULL,
  bytes     bytea NOT NULL,

  PRIMARY KEY (upload_id, "position"),
  FOREIGN KEY (upload_id) REFERENCES upload (id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- The chunks are compressed already, so PostgreSQL does not try.
ALTER TABLE upload_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TYPE statement_status AS ENUM (
  'queued', 'running', 'awaiting_confirmation', 'completed', 'failed', 'cancelled', 'undoing', 'undone'
);

CREATE TABLE statement (
  id                   text COLLATE "C" PRIMARY KEY,
  merchant_id          text COLLATE "C" NOT NULL,
  mode                 mode NOT NULL,
  receiving_account_id text COLLATE "C" NOT NULL,
  status               statement_status NOT NULL DEFAULT 'queued',
  upload_id            text COLLATE "C",
  format               text COLLATE "C" NOT NULL,
  file_name            text COLLATE "C" NOT NULL,
  file_hash            text COLLATE "C" NOT NULL,
  size                 bigint NOT NULL DEFAULT 0,
  mapping              jsonb,
  mapping_hash         text COLLATE "C" NOT NULL DEFAULT '',
  file_account         text COLLATE "C",
  imported_by          text COLLATE "C" NOT NULL,
  entry_count          integer,
  recorded_count       integer NOT NULL DEFAULT 0,
  bytes_read           bigint NOT NULL DEFAULT 0,
  result_counts        jsonb NOT NULL,
  error_line           integer,
  failure_reason       text COLLATE "C",
  leased_until         timestamptz(3),
  control              jsonb,
  discrepancies        jsonb,
  confirmed_by         text COLLATE "C",
  confirmed_at         timestamptz(3),
  undone_by            text COLLATE "C",
  undone_count         integer NOT NULL DEFAULT 0,
  undone_at            timestamptz(3),
  created_at           timestamptz(3) NOT NULL,
  finished_at          timestamptz(3),

  FOREIGN KEY (receiving_account_id) REFERENCES receiving_account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (upload_id) REFERENCES upload (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT statement_status_consistent CHECK (
    (status IN ('queued', 'running', 'awaiting_confirmation')) = (finished_at IS NULL)
      AND (status <> 'failed' OR failure_reason IS NOT NULL)
      AND (failure_reason IS NULL OR status IN ('failed', 'undoing', 'undone'))
      AND (status = 'undoing' OR (status = 'running') = (leased_until IS NOT NULL))
      AND (status = 'undone') = (undone_at IS NOT NULL)
      AND (status NOT IN ('undoing', 'undone') OR undone_by IS NOT NULL)
      AND (status <> 'awaiting_confirmation' OR discrepancies IS NOT NULL AND confirmed_at IS NULL)
      AND (confirmed_by IS NULL) = (confirmed_at IS NULL)
  )
);

-- A file is imported to an account once with the same mapping, unless its import failed, was cancelled or was undone.
CREATE UNIQUE INDEX statement_file_key ON statement (receiving_account_id, file_hash, mapping_hash)
  WHERE status IN ('queued', 'running', 'awaiting_confirmation', 'completed');

-- Finds the imports to run or to undo.
CREATE INDEX statement_unfinished_idx ON statement (id) WHERE status IN ('queued', 'running', 'undoing');

CREATE INDEX statement_merchant_id_mode_id_idx ON statement (merchant_id, mode, id DESC);

CREATE TABLE statement_mapping (
  receiving_account_id text COLLATE "C" PRIMARY KEY,
  mapping              jsonb NOT NULL,
  updated_by           text COLLATE "C" NOT NULL,
  updated_at           timestamptz(3) NOT NULL,

  FOREIGN KEY (receiving_account_id) REFERENCES receiving_account (id) ON UPDATE CASCADE ON DELETE RESTRICT
);


-- ============================================================
-- Transfers
-- ============================================================

CREATE TYPE transfer_status AS ENUM (
  'matched', 'partial', 'over', 'exception', 'duplicate', 'returned', 'outgoing', 'undone', 'dismissed'
);

CREATE TYPE transfer_direction AS ENUM ('credit', 'debit');

CREATE TYPE transfer_source AS ENUM ('feed', 'statement', 'manual', 'simulation');

CREATE TABLE transfer (
  id                   text COLLATE "C" PRIMARY KEY,
  merchant_id          text COLLATE "C" NOT NULL,
  mode                 mode NOT NULL,
  receiving_account_id text COLLATE "C" NOT NULL,
  source               transfer_source NOT NULL,
  file_kind            text COLLATE "C",
  bank_reference       text COLLATE "C" NOT NULL,
  batch_reference      text COLLATE "C",
  fingerprint          text COLLATE "C" NOT NULL,
  direction            transfer_direction NOT NULL DEFAULT 'credit',
  amount               bigint NOT NULL,
  currency             text COLLATE "C" NOT NULL,
  reference            text COLLATE "C" NOT NULL,
  payer_name           text COLLATE "C",
  payer_account        text COLLATE "C",
  paid_at              timestamptz(3) NOT NULL,
  is_paid_at_date_only boolean NOT NULL DEFAULT false,
  status               transfer_status NOT NULL,
  reason               text COLLATE "C",
  named_charge_id      text COLLATE "C",
  duplicate_of_id      text COLLATE "C",
  allocated            bigint NOT NULL DEFAULT 0,
  fee_amount           bigint NOT NULL DEFAULT 0,
  reversal_of_id       text COLLATE "C",
  statement_id         text COLLATE "C",
  undone_at            timestamptz(3),
  assignee_id          text COLLATE "C",
  note                 text COLLATE "C",
  version              integer NOT NULL DEFAULT 0,
  created_at           timestamptz(3) NOT NULL,
  updated_at           timestamptz(3) NOT NULL,

  FOREIGN KEY (receiving_account_id) REFERENCES receiving_account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (statement_id) REFERENCES statement (id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT transfer_amount_positive CHECK (amount > 0),
  -- Only a batch booking that its parts replace has a fee: the difference between the parts and its amount.
  CONSTRAINT transfer_fee_of_batch CHECK (fee_amount >= 0 AND (fee_amount = 0 OR status = 'duplicate')),
  -- No more can be allocated than was transferred.
  CONSTRAINT transfer_allocated_in_range CHECK (allocated BETWEEN 0 AND amount),
  CONSTRAINT transfer_allocated_consistent CHECK (
    CASE
      WHEN status IN ('matched', 'partial', 'over', 'dismissed') THEN allocated = amount
      WHEN status = 'duplicate' THEN allocated = 0
      ELSE true
    END
  ),
  -- A transfer of an undone statement does not count as money. It needs review if a completed charge lost it.
  CONSTRAINT transfer_undone_consistent CHECK (
    (status <> 'undone' OR undone_at IS NOT NULL)
      AND (undone_at IS NULL OR status IN ('undone', 'exception') AND allocated = 0 AND reversal_of_id IS NULL)
  )
);

-- Finds the transfers that carry the reference of a charge that had ended.
CREATE INDEX transfer_named_charge_id_idx ON transfer (named_charge_id) WHERE named_charge_id IS NOT NULL;

-- Finds the transfers of a booking.
CREATE INDEX transfer_batch_reference_idx ON transfer (receiving_account_id, batch_reference)
  WHERE batch_reference IS NOT NULL;

-- Finds earlier payments of a payer, to suggest the charges of the same customer.
CREATE INDEX transfer_payer_name_idx ON transfer (merchant_id, mode, upper(payer_name), id DESC)
  WHERE payer_name IS NOT NULL AND direction = 'credit';

-- Finds the duplicates of a transfer.
CREATE INDEX transfer_duplicate_of_id_idx ON transfer (duplicate_of_id) WHERE duplicate_of_id IS NOT NULL;

-- Finds the same payment among the transfers of another source.
CREATE INDEX transfer_source_amount_idx ON transfer (receiving_account_id, source, file_kind, amount, paid_at);

-- Reconciliation sums up transfers from this index alone, without reading the table.
CREATE INDEX transfer_reconciliation_idx ON transfer (merchant_id, mode, paid_at)
  INCLUDE (id, receiving_account_id, currency, direction, status, amount, allocated, is_paid_at_date_only)
  WHERE undone_at IS NULL;

-- Reconciliation sums up the fees of batches.
CREATE INDEX transfer_fee_idx ON transfer (merchant_id, mode, paid_at) WHERE fee_amount > 0;

-- Counts transfers; without IDs, equal keys are deduplicated and the index is a tenth of the size.
CREATE INDEX transfer_merchant_id_mode_status_reason_direction_source_idx
  ON transfer (merchant_id, mode, status, reason, direction, source);

-- The references of an undone statement can be used again by the corrected file.
CREATE UNIQUE INDEX transfer_receiving_account_id_source_bank_reference_key
  ON transfer (receiving_account_id, source, bank_reference) WHERE undone_at IS NULL;
CREATE UNIQUE INDEX transfer_reversal_of_id_key ON transfer (reversal_of_id);
CREATE INDEX transfer_merchant_id_mode_id_idx ON transfer (merchant_id, mode, id DESC);
CREATE INDEX transfer_merchant_id_mode_paid_at_idx ON transfer (merchant_id, mode, paid_at);
CREATE INDEX transfer_merchant_id_mode_status_id_idx ON transfer (merchant_id, mode, status, id DESC);
CREATE INDEX transfer_receiving_account_id_amount_paid_at_idx ON transfer (receiving_account_id, amount, paid_at);
CREATE INDEX transfer_statement_id_id_idx ON transfer (statement_id, id DESC);


-- ============================================================
-- Bank feeds
-- ============================================================

CREATE TYPE bank_feed_status AS ENUM ('new', 'connected', 'late', 'failing', 'paused');

CREATE TABLE bank_feed (
  id                    text COLLATE "C" PRIMARY KEY,
  merchant_id           text COLLATE "C" NOT NULL,
  mode                  mode NOT NULL,
  kind                  text COLLATE "C" NOT NULL,
  name                  text COLLATE "C" NOT NULL,
  status                bank_feed_status NOT NULL DEFAULT 'new',
  source_key            text COLLATE "C" NOT NULL,
  settings              jsonb NOT NULL,
  credentials_encrypted text COLLATE "C" NOT NULL,
  allowed_addresses     text[] COLLATE "C",
  confirmed_at          timestamptz(3),
  silence_minutes       integer,
  consecutive_failures  integer NOT NULL DEFAULT 0,
  failing_since         timestamptz(3),
  late_since            timestamptz(3),
  last_success_at       timestamptz(3),
  last_transfer_at      timestamptz(3),
  last_error            text COLLATE "C",
  next_poll_at          timestamptz(3),
  last_poll_at          timestamptz(3),
  fetched_until         timestamptz(3),
  leased_until          timestamptz(3),
  poll_state            jsonb NOT NULL DEFAULT '{}',
  deleted_at            timestamptz(3),
  created_at            timestamptz(3) NOT NULL,
  updated_at            timestamptz(3) NOT NULL,

  FOREIGN KEY (merchant_id) REFERENCES merchant (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT bank_feed_silence_positive CHECK (silence_minutes > 0),
  CONSTRAINT bank_feed_late_consistent CHECK ((status = 'late') = (late_since IS NOT NULL)),
  CONSTRAINT bank_feed_connected_consistent CHECK (status NOT IN ('connected', 'late') OR last_success_at IS NOT NULL)
);

CREATE INDEX bank_feed_merchant_id_mode_id_idx ON bank_feed (merchant_id, mode, id DESC);

-- Finds the feeds that may be late.
CREATE INDEX bank_feed_connected_idx ON bank_feed (id) WHERE status = 'connected' AND deleted_at IS NULL;

-- Finds the feeds to poll.
CREATE INDEX bank_feed_poll_idx ON bank_feed (next_poll_at) WHERE next_poll_at IS NOT NULL;

CREATE TABLE bank_feed_account (
  feed_id              text COLLATE "C" NOT NULL,
  receiving_account_id text COLLATE "C" NOT NULL,
  bank_account         text COLLATE "C",

  PRIMARY KEY (feed_id, receiving_account_id),
  FOREIGN KEY (feed_id) REFERENCES bank_feed (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (receiving_account_id) REFERENCES receiving_account (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

-- Finds the feeds of an account, whose transfers may report the same payment.
CREATE INDEX bank_feed_account_receiving_account_id_idx ON bank_feed_account (receiving_account_id);

CREATE TYPE feed_delivery_status AS ENUM ('rejected', 'received', 'processed', 'ignored', 'observed', 'failed');

CREATE TABLE feed_delivery (
  id                text COLLATE "C" PRIMARY KEY,
  merchant_id       text COLLATE "C" NOT NULL,
  mode              mode NOT NULL,
  feed_id           text COLLATE "C" NOT NULL,
  status            feed_delivery_status NOT NULL,
  reason            text COLLATE "C",
  detail            text COLLATE "C",
  ip_address        text COLLATE "C",
  size              integer NOT NULL,
  body_hash         text COLLATE "C" NOT NULL,
  file_name         text COLLATE "C",
  file_modified_at  timestamptz(3),
  statement_ids     text[] COLLATE "C" DEFAULT ARRAY[]::text[],
  headers_encrypted text COLLATE "C",
  body_encrypted    text COLLATE "C",
  results           jsonb NOT NULL DEFAULT '[]',
  transfer_ids      text[] COLLATE "C" DEFAULT ARRAY[]::text[],
  attempt_count     integer NOT NULL DEFAULT 0,
  next_attempt_at   timestamptz(3),
  created_at        timestamptz(3) NOT NULL,
  processed_at      timestamptz(3),

  FOREIGN KEY (feed_id) REFERENCES bank_feed (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  -- The content of a delivery that is not authenticated is not stored.
  CONSTRAINT feed_delivery_rejected_empty CHECK (
    status <> 'rejected' OR (headers_encrypted IS NULL AND body_encrypted IS NULL AND transfer_ids = '{}' AND reason IS NOT NULL)
  ),
  CONSTRAINT feed_delivery_attempt_consistent CHECK ((status = 'received') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT feed_delivery_failed_reason CHECK (status <> 'failed' OR reason IS NOT NULL)
);

-- Bodies are encrypted, so PostgreSQL does not try to compress them.
ALTER TABLE feed_delivery ALTER COLUMN body_encrypted SET STORAGE EXTERNAL;

CREATE INDEX feed_delivery_feed_id_id_idx ON feed_delivery (feed_id, id DESC);

-- Finds transactions that were fetched before, because polls fetch overlapping windows.
CREATE INDEX feed_delivery_feed_id_body_hash_idx ON feed_delivery (feed_id, body_hash);

CREATE INDEX feed_delivery_merchant_id_mode_id_idx ON feed_delivery (merchant_id, mode, id DESC);

-- Finds the deliveries to process.
CREATE INDEX feed_delivery_due_idx ON feed_delivery (next_attempt_at) WHERE status = 'received';

-- Counts the deliveries that need attention.
CREATE INDEX feed_delivery_failed_idx ON feed_delivery (feed_id) WHERE status = 'failed';

-- Finds the deliveries to delete, and the bodies to erase with a customer's transfers.
CREATE INDEX feed_delivery_created_at_idx ON feed_delivery (created_at);
CREATE INDEX feed_delivery_transfer_ids_idx ON feed_delivery USING gin (transfer_ids);


-- ============================================================
-- Refunds
-- ============================================================

CREATE TYPE refund_status AS ENUM ('initiated', 'processing', 'completed', 'cancelled');

CREATE TABLE refund (
  id                         text COLLATE "C" PRIMARY KEY,
  merchant_id                text COLLATE "C" NOT NULL,
  mode                       mode NOT NULL,
  charge_id                  text COLLATE "C" NOT NULL,
  receiving_account_id       text COLLATE "C" NOT NULL,
  status                     refund_status NOT NULL DEFAULT 'initiated',
  customer_amount            bigint NOT NULL,
  customer_currency          text COLLATE "C" NOT NULL,
  metadata jsonb,
  payout_reference           text COLLATE "C" NOT NULL,
  details_encrypted          text COLLATE "C",
  payout_scheme              text COLLATE "C",
  link_version               integer NOT NULL DEFAULT 0,
  reason                     text COLLATE "C",
  note                       text COLLATE "C",
  reopen_reason              text COLLATE "C",
  previous_payout_references text[] COLLATE "C" DEFAULT ARRAY[]::text[],
  payout_exported_at         timestamptz(3),
  completion_undone_at       timestamptz(3),
  version                    integer NOT NULL DEFAULT 0,
  completed_at               timestamptz(3),
  created_at                 timestamptz(3) NOT NULL,
  updated_at                 timestamptz(3) NOT NULL,

  FOREIGN KEY (charge_id) REFERENCES charge (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (receiving_account_id) REFERENCES receiving_account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  CONSTRAINT refund_amount_positive CHECK (customer_amount > 0),
  -- Payment files leave out refunds to aliases by this column alone.
  CONSTRAINT refund_payout_scheme_known CHECK (payout_scheme IS NULL OR details_encrypted IS NOT NULL)
);

-- Finds refunds by the merchant's own data.
CREATE INDEX refund_metadata_idx ON refund USING gin (metadata jsonb_path_ops) WHERE metadata IS NOT NULL;

-- Finds the refunds that are ready to be paid.
CREATE INDEX refund_processing_idx ON refund (merchant_id, mode, id DESC) WHERE status = 'processing';

-- Sums up what a merchant refunded in a span of time.
CREATE INDEX refund_completed_at_idx ON refund (merchant_id, mode, completed_at) WHERE status = 'completed';

-- Finds the refund of an earlier payout by its reference.
CREATE INDEX refund_previous_payout_references_idx ON refund USING gin (previous_payout_references)
  WHERE previous_payout_references <> '{}';

-- Counts refunds; without IDs, equal keys are deduplicated and the index is a tenth of the size.
CREATE INDEX refund_merchant_id_mode_status_customer_currency_idx
  ON refund (merchant_id, mode, status, customer_currency);

CREATE UNIQUE INDEX refund_merchant_id_mode_payout_reference_key ON refund (merchant_id, mode, payout_reference);
CREATE INDEX refund_charge_id_idx ON refund (charge_id);
CREATE INDEX refund_merchant_id_mode_id_idx ON refund (merchant_id, mode, id DESC);
CREATE INDEX refund_receiving_account_id_id_idx ON refund (receiving_account_id, id DESC);
CREATE INDEX refund_merchant_id_mode_customer_currency_customer_amount_idx
  ON refund (merchant_id, mode, customer_currency, customer_amount);

CREATE TABLE refund_payout (
  id                   text COLLATE "C" PRIMARY KEY,
  merchant_id          text COLLATE "C" NOT NULL,
  mode                 mode NOT NULL,
  refund_id            text COLLATE "C" NOT NULL,
  receiving_account_id text COLLATE "C" NOT NULL,
  reference            text COLLATE "C" NOT NULL,
  amount               bigint NOT NULL,
  currency             text COLLATE "C" NOT NULL,
  paid_at              timestamptz(3) NOT NULL,
  transfer_id          text COLLATE "C",
  returned_transfer_id text COLLATE "C",
  actor                text COLLATE "C" NOT NULL,
  created_at           timestamptz(3) NOT NULL,

  FOREIGN KEY (receiving_account_id) REFERENCES receiving_account (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (refund_id) REFERENCES refund (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (returned_transfer_id) REFERENCES transfer (id) ON UPDATE CASCADE ON DELETE SET NULL,
  FOREIGN KEY (transfer_id) REFERENCES transfer (id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT refund_payout_amount_positive CHECK (amount > 0)
);

-- A refund is paid again only after its payout was returned.
CREATE UNIQUE INDEX refund_payout_not_returned_key ON refund_payout (refund_id) WHERE returned_transfer_id IS NULL;

CREATE UNIQUE INDEX refund_payout_returned_transfer_id_key ON refund_payout (returned_transfer_id);
CREATE UNIQUE INDEX refund_payout_transfer_id_key ON refund_payout (transfer_id);
CREATE INDEX refund_payout_merchant_id_mode_paid_at_idx ON refund_payout (merchant_id, mode, paid_at);
CREATE INDEX refund_payout_refund_id_idx ON refund_payout (refund_id);


-- ============================================================
-- Allocations
-- ============================================================

CREATE TABLE allocation (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  mode        mode NOT NULL,
  transfer_id text COLLATE "C" NOT NULL,
  charge_id   text COLLATE "C",
  refund_id   text COLLATE "C",
  amount      bigint NOT NULL,
  fee_amount  bigint NOT NULL DEFAULT 0,
  actor       text COLLATE "C" NOT NULL,
  reason      text COLLATE "C" NOT NULL,
  note        text COLLATE "C",
  created_at  timestamptz(3) NOT NULL,

  FOREIGN KEY (charge_id) REFERENCES charge (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (refund_id) REFERENCES refund (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (transfer_id) REFERENCES transfer (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  -- An amount is applied to a charge or to a refund, or to neither, such as money that was returned to the
  -- payer.
  CONSTRAINT allocation_single_target CHECK (charge_id IS NULL OR refund_id IS NULL)
);

-- Few allocations belong to a refund.
CREATE INDEX allocation_refund_id_idx ON allocation (refund_id) WHERE refund_id IS NOT NULL;

-- Sums up the amounts that were applied to neither a charge nor a refund, such as returned money.
CREATE INDEX allocation_returned_idx ON allocation (transfer_id) INCLUDE (amount)
  WHERE charge_id IS NULL AND refund_id IS NULL;

CREATE INDEX allocation_charge_id_idx ON allocation (charge_id);
CREATE INDEX allocation_transfer_id_idx ON allocation (transfer_id);

CREATE TRIGGER allocation_append_only BEFORE UPDATE OR DELETE ON allocation
  FOR EACH ROW EXECUTE FUNCTION reject_change();

-- TRUNCATE fires no row triggers.
CREATE TRIGGER allocation_no_truncate BEFORE TRUNCATE ON allocation
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change();


-- ============================================================
-- Exports
-- ============================================================

CREATE TYPE export_kind AS ENUM (
  'charges', 'refunds', 'transfers', 'customers', 'reconciliation', 'payouts', 'journal'
);

CREATE TYPE export_status AS ENUM ('queued', 'running', 'completed', 'failed');

CREATE TABLE export (
  id             text COLLATE "C" PRIMARY KEY,
  merchant_id    text COLLATE "C" NOT NULL,
  mode           mode NOT NULL,
  kind           export_kind NOT NULL,
  format         text COLLATE "C" NOT NULL,
  status         export_status NOT NULL DEFAULT 'queued',
  options        jsonb NOT NULL,
  file_name      text COLLATE "C" NOT NULL,
  total          integer,
  rows           integer NOT NULL DEFAULT 0,
  last_id        text COLLATE "C",
  chunk_count    integer NOT NULL DEFAULT 0,
  size           bigint NOT NULL DEFAULT 0,
  failure_reason text COLLATE "C",
  data_as_of     timestamptz(3),
  created_by     text COLLATE "C" NOT NULL,
  leased_until   timestamptz(3),
  created_at     timestamptz(3) NOT NULL,
  finished_at    timestamptz(3),
  expires_at     timestamptz(3) NOT NULL,

  CONSTRAINT export_status_consistent CHECK (
    (status = 'failed') = (failure_reason IS NOT NULL) AND (status IN ('completed', 'failed')) = (finished_at IS NOT NULL)
      AND (status = 'running') = (leased_until IS NOT NULL)
  )
);

-- Finds the exports to build.
CREATE INDEX export_unfinished_idx ON export (id) WHERE status IN ('queued', 'running');

CREATE INDEX export_expires_at_idx ON export (expires_at);
CREATE INDEX export_merchant_id_mode_id_idx ON export (merchant_id, mode, id DESC);

CREATE TABLE export_chunk (
  export_id       text COLLATE "C" NOT NULL,
  position        integer NOT NULL,
  bytes_encrypted text COLLATE "C" NOT NULL,

  PRIMARY KEY (export_id, "position"),
  FOREIGN KEY (export_id) REFERENCES export (id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- The chunks are compressed already, so PostgreSQL does not try.
ALTER TABLE export_chunk ALTER COLUMN bytes_encrypted SET STORAGE EXTERNAL;


-- ============================================================
-- Events
-- ============================================================

CREATE TABLE event (
  id             text COLLATE "C" PRIMARY KEY,
  merchant_id    text COLLATE "C" NOT NULL,
  mode           mode NOT NULL,
  type           text COLLATE "C" NOT NULL,
  object_id      text COLLATE "C" NOT NULL,
  object_version integer NOT NULL,
  payload        text COLLATE "C" NOT NULL,
  actor          text COLLATE "C" NOT NULL,
  ip_address     text COLLATE "C",
  callback_url   text COLLATE "C",
  test           boolean NOT NULL DEFAULT false,
  sequence       bigint,
  relayed_at     timestamptz(3),
  created_at     timestamptz(3) NOT NULL
);

-- Finds the events that the relay has to process.
CREATE INDEX event_unrelayed_idx ON event (id) WHERE relayed_at IS NULL;

CREATE UNIQUE INDEX event_merchant_id_mode_sequence_key ON event (merchant_id, mode, sequence);
CREATE INDEX event_object_id_idx ON event (object_id);

CREATE TABLE event_counter (
  merchant_id text COLLATE "C" NOT NULL,
  mode        mode NOT NULL,
  last        bigint NOT NULL DEFAULT 0,
  pruned_to   bigint NOT NULL DEFAULT 0,

  PRIMARY KEY (merchant_id, mode)
);


-- ============================================================
-- Notifications
-- ============================================================

CREATE TYPE notification_kind AS ENUM ('webhook', 'callback');

CREATE TYPE notification_status AS ENUM ('pending', 'delivered', 'failed', 'skipped');

CREATE TABLE notification (
  id                     text COLLATE "C" PRIMARY KEY,
  merchant_id            text COLLATE "C" NOT NULL,
  mode                   mode NOT NULL,
  event_id               text COLLATE "C" NOT NULL,
  event_type             text COLLATE "C" NOT NULL,
  kind                   notification_kind NOT NULL,
  webhook_id             text COLLATE "C",
  url                    text COLLATE "C" NOT NULL,
  queue_key              text COLLATE "C" NOT NULL,
  status                 notification_status NOT NULL DEFAULT 'pending',
  attempt_count          integer NOT NULL DEFAULT 0,
  attempt_count_at_reset integer NOT NULL DEFAULT 0,
  next_attempt_at        timestamptz(3),
  leased_until           timestamptz(3),
  finished_at            timestamptz(3),
  created_at             timestamptz(3) NOT NULL,

  FOREIGN KEY (event_id) REFERENCES event (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  FOREIGN KEY (webhook_id) REFERENCES webhook (id) ON UPDATE CASCADE ON DELETE SET NULL
);

-- A claim updates no indexed column. With room on the page, it is a HOT update, which writes no index entry.
ALTER TABLE notification SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- An event has one notification for each target, however often the relay runs.
CREATE UNIQUE INDEX notification_event_target_key ON notification (event_id, coalesce(webhook_id, ''));

-- Finds due notifications by queue, so that a queue with a million of them is skipped in one step. The ID
-- keeps the order of events.
CREATE INDEX notification_pending_queue_idx ON notification (queue_key, next_attempt_at, id) WHERE status = 'pending';

-- Finds due notifications of all queues, so that a claim ignores queues that have none.
CREATE INDEX notification_pending_next_attempt_at_idx ON notification (next_attempt_at) WHERE status = 'pending';

-- Finds the notifications that can be replayed.
CREATE INDEX notification_undelivered_idx ON notification (merchant_id, mode, id)
  WHERE status IN ('failed', 'skipped');

CREATE INDEX notification_merchant_id_mode_id_idx ON notification (merchant_id, mode, id DESC);

CREATE TABLE notification_attempt (
  id              text COLLATE "C" PRIMARY KEY,
  notification_id text COLLATE "C" NOT NULL,
  number          integer NOT NULL,
  started_at      timestamptz(3) NOT NULL,
  duration_ms     integer NOT NULL,
  response_status integer,
  error           text COLLATE "C",
  response_body   text COLLATE "C",

  FOREIGN KEY (notification_id) REFERENCES notification (id) ON UPDATE CASCADE ON DELETE RESTRICT
);

CREATE UNIQUE INDEX notification_attempt_notification_id_number_key ON notification_attempt (notification_id, number);

CREATE TABLE alert (
  id                   text COLLATE "C" PRIMARY KEY,
  merchant_id          text COLLATE "C" NOT NULL,
  mode                 mode NOT NULL,
  kind                 text COLLATE "C" NOT NULL,
  webhook_id           text COLLATE "C",
  notification_id      text COLLATE "C",
  receiving_account_id text COLLATE "C",
  bank_feed_id         text COLLATE "C",
  url                  text COLLATE "C" NOT NULL,
  detail               text COLLATE "C" NOT NULL,
  dedupe_key           text COLLATE "C" NOT NULL,
  created_at           timestamptz(3) NOT NULL,
  mailed_at            timestamptz(3),
  dismissed_at         timestamptz(3)
);

-- Finds the alerts to send by email.
CREATE INDEX alert_unmailed_idx ON alert (id) WHERE mailed_at IS NULL;

CREATE UNIQUE INDEX alert_dedupe_key_key ON alert (dedupe_key);
CREATE INDEX alert_created_at_idx ON alert (created_at);
CREATE INDEX alert_merchant_id_mode_id_idx ON alert (merchant_id, mode, id DESC);


-- ============================================================
-- Messages
-- ============================================================

CREATE TYPE message_channel AS ENUM ('email', 'sms', 'chat');

CREATE TYPE message_audience AS ENUM ('customer', 'staff');

CREATE TYPE message_status AS ENUM ('pending', 'sent', 'captured', 'failed', 'skipped');

CREATE TABLE message (
  id                  text COLLATE "C" PRIMARY KEY,
  merchant_id         text COLLATE "C",
  mode                mode,
  audience            message_audience NOT NULL,
  channel             message_channel NOT NULL,
  kind                text COLLATE "C" NOT NULL,
  recipient           text COLLATE "C" NOT NULL,
  subject             text COLLATE "C",
  content_encrypted   text COLLATE "C",
  language            text COLLATE "C" NOT NULL,
  dedupe_key          text COLLATE "C" NOT NULL,
  status              message_status NOT NULL,
  attempt_count       integer NOT NULL DEFAULT 0,
  next_attempt_at     timestamptz(3),
  leased_until        timestamptz(3),
  last_error          text COLLATE "C",
  recipient_limit_key text COLLATE "C",
  merchant_limit_key  text COLLATE "C",
  expires_at          timestamptz(3),
  finished_at         timestamptz(3),
  created_at          timestamptz(3) NOT NULL,

  -- The content is deleted as soon as it is sent or will never be sent.
  CONSTRAINT message_content_consistent CHECK ((content_encrypted IS NOT NULL) = (status IN ('pending', 'captured'))),
  CONSTRAINT message_schedule_consistent CHECK (
    (finished_at IS NULL) = (status = 'pending') AND (next_attempt_at IS NOT NULL) = (status = 'pending')
  )
);

-- Finds due messages.
CREATE INDEX message_pending_next_attempt_at_idx ON message (channel, next_attempt_at) WHERE status = 'pending';

-- Finds the messages of a customer, for export and erasure.
CREATE INDEX message_recipient_idx ON message (merchant_id, mode, lower(recipient));

-- Count messages towards their limits; most messages have none.
CREATE INDEX message_recipient_limit_idx ON message (recipient_limit_key, created_at)
  WHERE recipient_limit_key IS NOT NULL;
CREATE INDEX message_merchant_limit_idx ON message (merchant_limit_key, created_at)
  WHERE merchant_limit_key IS NOT NULL;

CREATE UNIQUE INDEX message_dedupe_key_key ON message (dedupe_key);
CREATE INDEX message_created_at_idx ON message (created_at);
CREATE INDEX message_merchant_id_mode_id_idx ON message (merchant_id, mode, id DESC);

CREATE TYPE notice_topic AS ENUM ('payments', 'reviews', 'endpoints', 'accounts');

CREATE TYPE notice_frequency AS ENUM ('off', 'at_once', 'daily');

CREATE TABLE notice_setting (
  user_id        text COLLATE "C" NOT NULL,
  channel        message_channel NOT NULL,
  topic          notice_topic NOT NULL,
  frequency      notice_frequency NOT NULL,
  event_position bigint NOT NULL DEFAULT 0,
  alert_ids      text[] COLLATE "C" NOT NULL DEFAULT '{}',
  next_at        timestamptz(3),

  PRIMARY KEY (user_id, channel, topic),
  FOREIGN KEY (user_id) REFERENCES merchant_user (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  -- Notices that are off are not due, so that the index of due notices does not contain them.
  CONSTRAINT notice_setting_schedule_consistent CHECK ((next_at IS NULL) = (frequency = 'off'))
);

-- Finds due notices.
CREATE INDEX notice_setting_next_at_idx ON notice_setting (next_at) WHERE next_at IS NOT NULL;

CREATE TYPE phone_verification_status AS ENUM ('sent', 'verified', 'used', 'voided');

CREATE TABLE phone_verification (
  id            bigserial PRIMARY KEY,
  merchant_id   text COLLATE "C" NOT NULL,
  mode          mode NOT NULL,
  phone         text COLLATE "C" NOT NULL,
  status        phone_verification_status NOT NULL DEFAULT 'sent',
  code_hash     text COLLATE "C" NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  token_hash    text COLLATE "C",
  charge_id     text COLLATE "C",
  expires_at    timestamptz(3) NOT NULL,
  created_at    timestamptz(3) NOT NULL,

  CONSTRAINT phone_verification_status_consistent CHECK (
    (token_hash IS NOT NULL) = (status IN ('verified', 'used')) AND (charge_id IS NOT NULL) = (status = 'used')
  )
);

-- A phone has one valid code at a time.
CREATE UNIQUE INDEX phone_verification_sent_key ON phone_verification (merchant_id, mode, phone)
  WHERE status = 'sent';

CREATE UNIQUE INDEX phone_verification_token_hash_key ON phone_verification (token_hash);
CREATE INDEX phone_verification_created_at_idx ON phone_verification (created_at);
CREATE INDEX phone_verification_phone_mode_created_at_idx ON phone_verification (phone, mode, created_at);


-- ============================================================
-- Idempotency
-- ============================================================

CREATE TABLE idempotency_key (
  merchant_id        text COLLATE "C" NOT NULL,
  mode               mode NOT NULL,
  key                text COLLATE "C" NOT NULL,
  fingerprint        text COLLATE "C" NOT NULL,
  status             integer NOT NULL,
  response_encrypted text COLLATE "C" NOT NULL,
  created_at         timestamptz(3) NOT NULL,
  expires_at         timestamptz(3) NOT NULL,

  PRIMARY KEY (merchant_id, mode, key)
);

CREATE INDEX idempotency_key_expires_at_idx ON idempotency_key (expires_at);


-- ============================================================
-- Audit
-- ============================================================

CREATE TABLE audit_entry (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C",
  mode        mode,
  actor       text COLLATE "C" NOT NULL,
  action      text COLLATE "C" NOT NULL,
  object_id   text COLLATE "C",
  detail      jsonb NOT NULL,
  ip_address  text COLLATE "C",
  created_at  timestamptz(3) NOT NULL
);

CREATE INDEX audit_entry_merchant_id_action_id_idx ON audit_entry (merchant_id, action, id DESC);
CREATE INDEX audit_entry_merchant_id_actor_id_idx ON audit_entry (merchant_id, actor, id DESC);
CREATE INDEX audit_entry_merchant_id_id_idx ON audit_entry (merchant_id, id DESC);
CREATE INDEX audit_entry_merchant_id_object_id_id_idx ON audit_entry (merchant_id, object_id, id DESC);

CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION reject_change();

-- TRUNCATE fires no row triggers.
CREATE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change();


-- ============================================================
-- Secrets
-- ============================================================

CREATE TABLE data_key (
  id             text COLLATE "C" PRIMARY KEY,
  wrapped_key    text COLLATE "C" NOT NULL,
  wrapped_by     text COLLATE "C" NOT NULL,
  created_at     timestamptz(3) NOT NULL,
  activated_at   timestamptz(3),
  retired_at     timestamptz(3),
  reencrypted_at timestamptz(3),

  -- A key is activated, then retired, then no longer used by any value.
  CONSTRAINT data_key_times_in_order CHECK (
    (retired_at IS NULL OR activated_at IS NOT NULL) AND (reencrypted_at IS NULL OR retired_at IS NOT NULL)
  )
);

-- One key is in use, and at most one is announced.
CREATE UNIQUE INDEX data_key_current_key ON data_key ((activated_at IS NULL)) WHERE retired_at IS NULL;

CREATE TABLE imported_signing_key (
  id             text COLLATE "C" NOT NULL,
  merchant_id    text COLLATE "C" NOT NULL REFERENCES merchant ON DELETE RESTRICT ON UPDATE CASCADE,
  keys_encrypted text COLLATE "C" NOT NULL,
  created_at     timestamptz(3) NOT NULL,

  PRIMARY KEY (merchant_id, id)
);


-- ============================================================
-- Retention
-- ============================================================

CREATE TABLE retention_watermark (
  name      text COLLATE "C" PRIMARY KEY,
  pruned_to timestamptz(3) NOT NULL
);


-- ============================================================
-- Search
-- ============================================================

-- The words by which people search for an object. Triggers write them, so that no writer of the object can forget to.
-- They are in a table of their own, because each new version of a row of `charge` would need new entries in the index.
CREATE TABLE search_entry (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL,
  mode        mode NOT NULL,
  words       tsvector NOT NULL
);

CREATE INDEX search_entry_words_idx ON search_entry USING gin (words);

-- Case of ASCII letters, accents and compatibility forms do not matter. src/domain/operations/search folds queries equally.
CREATE FUNCTION fold_search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(translate(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'), 'đĐ', 'dd') COLLATE "C")
$$;

-- Returns each word and, after punctuation, each rest of it, so that a search by prefix finds every part of an email.
-- Each begins with `scope`, so that the index separates merchants, modes and types.
-- The loops are much faster than a query, whose estimated cost would start the JIT compiler for each row.
CREATE FUNCTION to_search_words(scope text, texts text[], amounts text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  folded text := fold_search_text(left(array_to_string(texts, ' '), 3000));
  words text[] := '{}';
  rest text;
  amount text;
BEGIN
  FOREACH rest IN ARRAY regexp_split_to_array(regexp_replace(folded, '[!-/:-@\[-`{-~]+', '.', 'g'), '\s+') LOOP
    rest := btrim(rest, '.');
    WHILE rest <> '' LOOP
      words := words || (scope || left(rest, 40));
      rest := CASE WHEN strpos(rest, '.') > 0 THEN substr(rest, strpos(rest, '.') + 1) ELSE '' END;
    END LOOP;
  END LOOP;
  FOREACH amount IN ARRAY amounts LOOP
    words := words || (scope || '=' || lower(amount));
  END LOOP;
  RETURN array_to_tsvector(words);
END $$;

-- PL/pgSQL keeps the plans of these functions; PostgreSQL would plan SQL functions again for each row.
CREATE FUNCTION write_search_entry(object_id text, merchant text, object_mode mode, texts text[], amounts text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_entry (id, merchant_id, mode, words)
  VALUES (object_id, merchant, object_mode, to_search_words(
    left(encode(sha256((merchant || object_mode || split_part(object_id, '_', 1))::bytea), 'hex'), 6), texts, amounts))
  ON CONFLICT (id) DO UPDATE SET words = excluded.words;
END $$;

-- Chinese, Japanese and Korean full names are written without a space.
CREATE FUNCTION to_search_names(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT concat_ws(' ', first_name, last_name, CASE WHEN last_name ~ '[^ -~]' THEN last_name || first_name END)
$$;

-- Merchants may send their own reference as Base64, which is searched decoded too.
CREATE FUNCTION to_search_payload(payload text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN payload ~ '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
    THEN concat_ws(' ', left(payload, 100), left(encode(decode(payload, 'base64'), 'escape'), 100))
    ELSE left(payload, 100) END
$$;

CREATE FUNCTION write_refund_search_entry(refund refund) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_search_entry(refund.id, refund.merchant_id, refund.mode,
    ARRAY[refund.payout_reference, charge.email, to_search_names(charge.first_name, charge.last_name)],
    ARRAY[refund.customer_currency || refund.customer_amount])
  FROM charge WHERE charge.id = refund.charge_id;
END $$;

CREATE FUNCTION write_invoice_search_entry(invoice invoice) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_search_entry(invoice.id, invoice.merchant_id, invoice.mode,
    ARRAY[invoice.number::text, subscription.email, to_search_names(subscription.first_name, subscription.last_name)],
    ARRAY[invoice.currency || invoice.amount])
  FROM subscription WHERE subscription.id = invoice.subscription_id;
END $$;

CREATE FUNCTION index_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_search_entry(NEW.id, NEW.merchant_id, NEW.mode,
    ARRAY[NEW.email, NEW.phone, to_search_names(NEW.first_name, NEW.last_name), NEW.note], '{}');
  RETURN NULL;
END $$;

CREATE FUNCTION index_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_search_entry(NEW.id, NEW.merchant_id, NEW.mode, ARRAY[NEW.email, NEW.phone,
    to_search_names(NEW.first_name, NEW.last_name), to_search_payload(NEW.notify_payload)], '{}');
  IF TG_OP = 'UPDATE' THEN
    PERFORM write_invoice_search_entry(invoice) FROM invoice WHERE invoice.subscription_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION index_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_invoice_search_entry(NEW);
  RETURN NULL;
END $$;

CREATE FUNCTION index_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_search_entry(NEW.id, NEW.merchant_id, NEW.mode,
    ARRAY[NEW.payment_reference, NEW.email, NEW.phone, to_search_names(NEW.first_name, NEW.last_name),
      to_search_payload(NEW.notify_payload),
      (SELECT left(string_agg(concat_ws(' ', item ->> 'id', item ->> 'name'), ' '), 400) FROM jsonb_array_elements(NEW.orders) AS item),
      (SELECT name FROM checkout_link WHERE id = NEW.checkout_link_id), NEW.note],
    ARRAY[NEW.customer_currency || NEW.customer_amount, NEW.merchant_currency || NEW.merchant_amount]);
  IF TG_OP = 'UPDATE' THEN
    PERFORM write_refund_search_entry(refund) FROM refund WHERE refund.charge_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION index_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_refund_search_entry(NEW);
  RETURN NULL;
END $$;

CREATE FUNCTION index_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_search_entry(NEW.id, NEW.merchant_id, NEW.mode,
    ARRAY[NEW.bank_reference, NEW.payer_name, left(NEW.reference, 400)], ARRAY[NEW.currency || NEW.amount]);
  RETURN NULL;
END $$;

CREATE FUNCTION delete_search_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_entry WHERE id = OLD.id;
  RETURN NULL;
END $$;

-- Updates of other columns, such as the status, do not write entries.
DO $$
DECLARE
  name text;
  columns text;
BEGIN
  FOR name, columns IN VALUES
    ('customer', 'email, phone, first_name, last_name, note'),
    ('subscription', 'email, phone, first_name, last_name'),
    ('invoice', NULL),
    ('charge', 'email, phone, first_name, last_name, note'),
    ('refund', 'payout_reference'),
    ('transfer', 'reference, payer_name')
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I FOR EACH ROW EXECUTE FUNCTION %I()',
      name || '_searchable', name, 'index_' || name);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I FOR EACH ROW EXECUTE FUNCTION delete_search_entry()',
      name || '_not_searchable', name);
    IF columns IS NOT NULL THEN
      EXECUTE format('CREATE TRIGGER %I AFTER UPDATE OF %s ON %I FOR EACH ROW
        WHEN ((%s) IS DISTINCT FROM (%s)) EXECUTE FUNCTION %I()', name || '_search_changed', columns, name,
        regexp_replace(columns, '(\w+)', 'OLD.\1', 'g') , regexp_replace(columns, '(\w+)', 'NEW.\1', 'g'), 'index_' || name);
    END IF;
  END LOOP;
END $$;


-- ============================================================
-- Moves of merchants
-- ============================================================

-- While a merchant is paused, has moved, or is not active yet, its rows do not change. Retention may delete them, the
-- rotation of the data key and a restore may write them, and the audit trail records the move. The triggers fire after the
-- change, so that each transaction that they accept has an ID from before the pause; the export waits for these.
CREATE FUNCTION reject_if_moving(status merchant_move_status) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF status <> 'pausing' AND coalesce(current_setting('causeway.changes_moving_merchants', true), '') <> 'on' THEN
    RAISE EXCEPTION 'the merchant is %', status USING ERRCODE = CASE status WHEN 'moved' THEN 'CWMVD' ELSE 'CWPSD' END;
  END IF;
END $$;

CREATE FUNCTION reject_change_while_moving() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  status merchant_move_status;
BEGIN
  SELECT move_status INTO status FROM merchant WHERE id = NEW.merchant_id AND move_status IS NOT NULL;
  IF FOUND THEN
    PERFORM reject_if_moving(status);
  END IF;
  RETURN NULL;
END $$;

-- Like `reject_change_while_moving`, for tables without merchant_id. The arguments are the parent's table and
-- the column that references it.
CREATE FUNCTION reject_child_change_while_moving() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  status merchant_move_status;
BEGIN
  EXECUTE format(
    'SELECT move_status FROM merchant JOIN %I AS parent ON parent.merchant_id = merchant.id WHERE parent.id = ($1).%I',
    TG_ARGV[0], TG_ARGV[1]) INTO status USING NEW;
  PERFORM reject_if_moving(status);
  RETURN NULL;
END $$;

CREATE FUNCTION reject_merchant_change_while_moving() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM reject_if_moving(NEW.move_status);
  RETURN NULL;
END $$;

-- Only the columns of the move may change.
CREATE TRIGGER merchant_not_moving AFTER UPDATE ON merchant
  FOR EACH ROW WHEN (NEW.move_status IS NOT NULL
    AND (to_jsonb(OLD) - '{move_status,moved_to,move_code_hash,move_code_encrypted}'::text[])
      IS DISTINCT FROM (to_jsonb(NEW) - '{move_status,moved_to,move_code_hash,move_code_encrypted}'::text[]))
  EXECUTE FUNCTION reject_merchant_change_while_moving();

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['alert', 'allocation', 'api_key', 'bank_feed', 'certificate', 'charge', 'checkout_link',
    'checkout_session', 'checkout_slot', 'customer', 'event', 'event_counter', 'export', 'feed_delivery',
    'idempotency_key', 'imported_signing_key', 'invoice', 'invoice_counter', 'merchant_logo', 'merchant_user', 'message',
    'notification', 'phone_verification', 'receiving_account', 'refund', 'refund_payout', 'statement', 'subscription',
    'subscription_link', 'subscription_plan', 'transfer', 'upload', 'user_invitation', 'webhook']
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT OR UPDATE ON %I FOR EACH ROW
      EXECUTE FUNCTION reject_change_while_moving()', name || '_not_moving', name);
  END LOOP;
END $$;

CREATE TRIGGER user_session_not_moving AFTER INSERT OR UPDATE ON user_session
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('merchant_user', 'user_id');

CREATE TRIGGER recovery_code_not_moving AFTER INSERT OR UPDATE ON recovery_code
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('merchant_user', 'user_id');

CREATE TRIGGER notice_setting_not_moving AFTER INSERT OR UPDATE ON notice_setting
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('merchant_user', 'user_id');

CREATE TRIGGER password_reset_not_moving AFTER INSERT OR UPDATE ON password_reset
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('merchant_user', 'user_id');

CREATE TRIGGER email_change_not_moving AFTER INSERT OR UPDATE ON email_change
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('merchant_user', 'user_id');

CREATE TRIGGER upload_chunk_not_moving AFTER INSERT OR UPDATE ON upload_chunk
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('upload', 'upload_id');

CREATE TRIGGER export_chunk_not_moving AFTER INSERT OR UPDATE ON export_chunk
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('export', 'export_id');

CREATE TRIGGER statement_mapping_not_moving AFTER INSERT OR UPDATE ON statement_mapping
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('receiving_account', 'receiving_account_id');

CREATE TRIGGER bank_feed_account_not_moving AFTER INSERT OR UPDATE ON bank_feed_account
  FOR EACH ROW EXECUTE FUNCTION reject_child_change_while_moving('bank_feed', 'feed_id');

-- `notification_attempt` needs no trigger, because an attempt is always written together with its
-- notification.
