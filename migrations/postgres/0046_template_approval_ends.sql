-- What the approver no longer lists, and what is to be taken back from it.

ALTER TABLE approval_sendings ADD COLUMN missing_since timestamptz;
COMMENT ON COLUMN approval_sendings.missing_since IS 'Since when the approver''s list lacks it; one that lacks it for long has it no more.';

CREATE INDEX approval_sendings_missing ON approval_sendings (missing_since) WHERE missing_since IS NOT NULL;

-- Few of them are over at any time, out of all that were ever sent.
CREATE INDEX approval_sendings_sent ON approval_sendings (submission_id)
  WHERE state = 'SENT' AND next_attempt_at IS NULL;
CREATE INDEX template_submissions_canceled ON template_submissions (id) WHERE state = 'CANCELED';
CREATE INDEX template_versions_archived ON template_versions (id) WHERE state = 'Archived';
