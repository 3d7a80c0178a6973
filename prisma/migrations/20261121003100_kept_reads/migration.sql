-- Receiving accounts and rates, as merchants and keys: every process that keeps them is told with the commit.
CREATE FUNCTION "tell_receiving_account_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account "receiving_account" := coalesce(NEW, OLD);
BEGIN
  PERFORM pg_notify('causeway', account.id || ' ' || account.merchant_id || ' ' || account.mode);
  RETURN NULL;
END $$;
CREATE TRIGGER "receiving_account_changed" AFTER INSERT OR UPDATE OR DELETE ON "receiving_account"
  FOR EACH ROW EXECUTE FUNCTION "tell_receiving_account_change"();

CREATE FUNCTION "tell_rates_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('causeway', 'rates rates live');
  RETURN NULL;
END $$;
CREATE TRIGGER "rates_changed" AFTER INSERT OR UPDATE OR DELETE ON "forex_rate"
  FOR EACH STATEMENT EXECUTE FUNCTION "tell_rates_change"();
