ALTER TABLE "users" ADD COLUMN "unconfirmed_at" timestamp (3) with time zone;--> statement-breakpoint
-- Nobody knows any more who was confirmed once: whoever has something here counts as such.
UPDATE "users" SET "unconfirmed_at" = "created_at" WHERE "kind" = 'member' AND "confirmed_at" IS NULL
  AND ("points" > 0 OR "free_points" > 0 OR "vip_at" IS NOT NULL OR EXISTS (SELECT 1 FROM "media" WHERE "owner_id" = "users"."id"));--> statement-breakpoint
CREATE INDEX "conversions_ended" ON "conversions" USING btree ("finished_at") WHERE "conversions"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "mails_left" ON "mails" USING btree ("state","created_at") WHERE "mails"."state" <> 'sent';--> statement-breakpoint
ALTER TABLE "album_media" DROP COLUMN "added_at";