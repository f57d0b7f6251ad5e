CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"subject_id" uuid,
	"target" text,
	"before" jsonb,
	"after" jsonb,
	"address" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "features" (
	"name" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "features_state" CHECK ("features"."state" in ('on', 'in_development', 'off'))
);
--> statement-breakpoint
CREATE TABLE "pin_code_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"days" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" uuid,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "pin_codes" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
INSERT INTO "pin_code_batches" ("id", "name", "days", "created_at", "expires_at")
	SELECT gen_random_uuid(), "note", "days", "created_at", "expires_at" FROM "pin_codes"
	GROUP BY "note", "days", "created_at", "expires_at";--> statement-breakpoint
UPDATE "pin_codes" SET "batch_id" = "batch"."id" FROM "pin_code_batches" AS "batch"
	WHERE "batch"."name" = "pin_codes"."note" AND "batch"."created_at" = "pin_codes"."created_at"
	AND "batch"."days" IS NOT DISTINCT FROM "pin_codes"."days"
	AND "batch"."expires_at" IS NOT DISTINCT FROM "pin_codes"."expires_at";--> statement-breakpoint
ALTER TABLE "pin_codes" ALTER COLUMN "batch_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "restricted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_subject_id_users_id_fk" FOREIGN KEY ("subject_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pin_code_batches" ADD CONSTRAINT "pin_code_batches_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_list" ON "audit_log" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "pin_code_batches_list" ON "pin_code_batches" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "pin_codes" ADD CONSTRAINT "pin_codes_batch_id_pin_code_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."pin_code_batches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pin_codes_batch" ON "pin_codes" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "pin_codes_redeemed_by" ON "pin_codes" USING btree ("redeemed_by") WHERE "pin_codes"."redeemed_by" is not null;--> statement-breakpoint
CREATE INDEX "users_members" ON "users" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "users"."kind" = 'member';--> statement-breakpoint
ALTER TABLE "pin_codes" DROP COLUMN "note";--> statement-breakpoint
ALTER TABLE "pin_codes" DROP COLUMN "days";--> statement-breakpoint
ALTER TABLE "pin_codes" DROP COLUMN "created_at";--> statement-breakpoint
ALTER TABLE "pin_codes" DROP COLUMN "expires_at";