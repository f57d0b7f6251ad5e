CREATE TABLE "media_revisions" (
	"media_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"effect_param_id" integer,
	"effect" integer NOT NULL,
	"crop" jsonb,
	"convergence" real,
	"strokes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"depth_key" text,
	"depth_source" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "media_revisions_media_id_number_pk" PRIMARY KEY("media_id","number"),
	CONSTRAINT "media_revisions_effect" CHECK ("media_revisions"."effect" between 0 and 100)
);
--> statement-breakpoint
DROP INDEX "conversions_active";--> statement-breakpoint
ALTER TABLE "conversions" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "conversions" ADD COLUMN "format" text;--> statement-breakpoint
ALTER TABLE "conversions" ADD COLUMN "frame" integer;--> statement-breakpoint
ALTER TABLE "conversions" ADD COLUMN "frames" integer;--> statement-breakpoint
ALTER TABLE "conversions" ADD COLUMN "seconds_left" real;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "convergence" real;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "strokes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "result_revision" integer;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "whole_key" text;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "film" jsonb;--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "film_key" text;--> statement-breakpoint
ALTER TABLE "media_revisions" ADD CONSTRAINT "media_revisions_media_id_media_id_fk" FOREIGN KEY ("media_id") REFERENCES "public"."media"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_revisions" ADD CONSTRAINT "media_revisions_effect_param_id_effect_params_id_fk" FOREIGN KEY ("effect_param_id") REFERENCES "public"."effect_params"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_revisions" ADD CONSTRAINT "media_revisions_depth_key_objects_key_fk" FOREIGN KEY ("depth_key") REFERENCES "public"."objects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_revisions_depth" ON "media_revisions" USING btree ("depth_key");--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_whole_key_objects_key_fk" FOREIGN KEY ("whole_key") REFERENCES "public"."objects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_film_key_objects_key_fk" FOREIGN KEY ("film_key") REFERENCES "public"."objects"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_cover" ON "media" USING btree ("cover_key");--> statement-breakpoint
CREATE INDEX "media_depth" ON "media" USING btree ("depth_key");--> statement-breakpoint
CREATE INDEX "media_whole" ON "media" USING btree ("whole_key");--> statement-breakpoint
CREATE INDEX "media_film" ON "media" USING btree ("film_key");--> statement-breakpoint
CREATE INDEX "media_files_object" ON "media_files" USING btree ("object_key");--> statement-breakpoint
CREATE UNIQUE INDEX "conversions_active" ON "conversions" USING btree ("media_id",coalesce("format", '')) WHERE "conversions"."state" in ('waiting', 'running');--> statement-breakpoint
-- What was uploaded before there were revisions is its own first one.
INSERT INTO "media_revisions" ("media_id", "number", "effect_param_id", "effect", "crop", "depth_key", "depth_source", "created_at")
	SELECT "id", 1, "effect_param_id", "effect", "crop", "depth_key", "depth_source", "created_at" FROM "media" WHERE "upload_state" = 'stored';--> statement-breakpoint
UPDATE "media" SET "result_revision" = 1 WHERE "cover_key" IS NOT NULL;
