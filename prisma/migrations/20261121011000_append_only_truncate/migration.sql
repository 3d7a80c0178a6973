-- What is append-only cannot be emptied either: TRUNCATE fires no trigger of rows.
CREATE TRIGGER "audit_entry_not_emptied" BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "allocation_not_emptied" BEFORE TRUNCATE ON "allocation"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
