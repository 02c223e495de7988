// One call of each kind with Segment's Go client; see ../../calls.json.
package main

import (
	"encoding/json"
	"os"

	analytics "gopkg.in/segmentio/analytics-go.v3"
)

type calls struct {
	UserID string `json:"userId"`
	Track  struct {
		Event      string
		Properties analytics.Properties
	}
	Identify struct{ Traits analytics.Traits }
	Page     struct {
		Name       string
		Properties analytics.Properties
	}
	Screen struct {
		Name       string
		Properties analytics.Properties
	}
	Group struct {
		GroupID string `json:"groupId"`
		Traits  analytics.Traits
	}
	Alias struct {
		PreviousID string `json:"previousId"`
	}
}

func main() {
	text, err := os.ReadFile(os.Getenv("CALLS"))
	must(err)
	var c calls
	must(json.Unmarshal(text, &c))
	client, err := analytics.NewWithConfig(os.Getenv("WRITE_KEY"), analytics.Config{Endpoint: os.Getenv("HOST")})
	must(err)
	for _, message := range []analytics.Message{
		analytics.Identify{UserId: c.UserID, Traits: c.Identify.Traits},
		analytics.Track{UserId: c.UserID, Event: c.Track.Event, Properties: c.Track.Properties},
		analytics.Page{UserId: c.UserID, Name: c.Page.Name, Properties: c.Page.Properties},
		analytics.Screen{UserId: c.UserID, Name: c.Screen.Name, Properties: c.Screen.Properties},
		analytics.Group{UserId: c.UserID, GroupId: c.Group.GroupID, Traits: c.Group.Traits},
		analytics.Alias{UserId: c.UserID, PreviousId: c.Alias.PreviousID},
	} {
		must(client.Enqueue(message))
	}
	must(client.Close())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
