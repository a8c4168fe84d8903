package cluster

import "testing"

// structures are the constructions that the gate sees through, and beside each what
// is alike and says something else. Operational texts where one says it best.
var structures = []struct{ rule, a, b, want string }{
	{"attributive", "The host, which is old and slow, is down", "The old and slow host is down", Join},
	{"attributive", "A staging host that is idle is down", "An idle staging host is down", Join},
	{"attributive", "another job, which is small, is waiting", "another small job is waiting", Join},
	{"attributive", "The man in the t-shirt, which is white, waits", "The man in the white t-shirt waits", Join},
	{"attributive", "The host, which is old, is down", "The host, which is new, is down", CheckPolarity},
	{"attributive", "The old host is down and the disk is new", "The new host is down and the disk is old", CheckPolarity},

	{"degree", "The very old host is down", "The old host is down", Join},
	{"degree", "The host, which is very old, is down", "The old host is down", Join},
	{"degree", "The host is not very old", "The host is not old", CheckAddition},
	{"degree", "The host is too old", "The host is old", CheckAddition},
	{"degree", "The disk is quite full", "The disk is full", CheckAddition},

	{"ofAttribute", "A disk of large size is in use", "A large disk is in use", Join},
	{"ofAttribute", "A boy of young age is playing", "A young boy is playing", Join},
	{"ofAttribute", "Pants of blue and red color are cheap", "Blue and red pants are cheap", Join},
	{"ofAttribute", "A disk of large size is in use", "A small disk is in use", CheckPolarity},
	{"ofAttribute", "A disk of the same size is in use", "A same disk is in use", CheckOrder},
	{"ofAttribute", "The owner of large disks waits", "The large owner of disks waits", CheckOrder},
	{"ofAttribute", "A log of high value is kept", "A high log is kept", CheckOrder},

	{"colored", "The blue colored cable is loose", "The blue cable is loose", Join},
	{"colored", "The door painted red is open", "The red door is open", Join},
	{"colored", "A cable colored in black and white is loose", "A black and white cable is loose", Join},
	{"colored", "The blue colored cable is loose", "The red cable is loose", CheckSubstitution},
	{"colored", "The colored cable is loose", "The cable is loose", CheckAddition},
	{"colored", "The men in red painted doors", "The men in red doors", CheckAddition},
	{"some", "Some servers, which are old, are restarting", "The old servers are restarting", CheckQuantifier},
	{"colored", "The man painted red doors", "The red man painted doors", CheckOrder},

	{"compounded", "The room built for meetings is free", "The meeting room is free", Join},
	{"compounded", "A bridge made of rope is down", "A rope bridge is down", Join},
	{"compounded", "The passwords for servers are new", "The server passwords are new", Join},
	{"compounded", "The port for staging is open", "The staging port is open", Join},
	{"compounded", "The albums for a band are late", "A band album is late", CheckOrder},
	{"compounded", "The albums for a band are late", "A band's albums are late", CheckOrder},
	{"compounded", "The request for customers is late", "The customer request is late", CheckOrder},
	{"compounded", "A cluster designed for staging is idle", "A staging cluster is idle", Join},
	{"compounded", "A box for wood is here", "A box made of wood is here", CheckRelation},
	{"compounded", "The service waits for the database", "The service database waits", CheckOrder},
	{"compounded", "The server starts and waits for the database", "The server starts and the database waits", CheckOrder},
	{"compounded", "The requests for customers are late", "The customers' requests are late", CheckOrder},
	{"compounded", "The budget for customers is late", "The customers' budget is late", CheckOrder},
	{"compounded", "The tickets for Alice are late", "The Alice tickets are late", CheckOrder},
	{"compounded", "The cup of coffee is cold", "The coffee cup is cold", CheckOrder},
	{"compounded", "The certificates for staging are stale", "The certificates for production are stale", CheckSubstitution},
	{"compounded", "The cluster made for web-01 is idle", "The cluster made for web-02 is idle", CheckIdentifier},
	{"compounded", "The room built for no meetings is free", "The meeting room is free", CheckOrder},

	{"plural", "A person is waiting", "Men are waiting", CheckPlural},
	{"plural", "The kid is asleep", "The children are asleep", CheckPlural},
	{"plural", "The kids are asleep", "The children are asleep", Join},
	{"compounded", "A bridge, which is made of rope, is down", "A rope bridge is down", Join},

	{"compounded", "The host is used for backups and web-02 is idle", "The backup host web-02 is idle", CheckOrder},
	{"colored", "The cable is colored red, web-02 is idle", "The red cable, web-02 is idle", CheckOrder},
	{"ofAttribute", "The disk is of large size and web-02 is idle", "The large disk web-02 is idle", CheckOrder},
	{"instrumental", "The team uses Terraform to deploy the cluster", "The team deploys the cluster with Terraform", Join},
	{"instrumental", "The team uses the road to the park", "The team parks with the road", CheckOrder},
	{"instrumental", "The job used rsync to copy the files", "The job copied the files with rsync", Join},
	{"instrumental", "The team uses Terraform to deploy the cluster", "The team uses Ansible to deploy the cluster", CheckName},
	{"instrumental", "The team uses Terraform to deploy the cluster", "The team deploys Terraform with the cluster", CheckOrder},
	{"instrumental", "The team does not use Terraform to deploy the cluster", "The team deploys the cluster with Terraform", CheckOrder},
	{"instrumental", "The job used rsync to copy the files", "The job copies the files with rsync", CheckPlural},

	{"lacking", "A passwordless login is allowed", "A login without a password is allowed", Join},
	{"lacking", "A man with no shirt is waiting", "A shirtless man is waiting", Join},
	{"lacking", "The container is rootless", "The container is without root", Join},
	{"lacking", "The container is not rootless", "The container is without root", Rival},
	{"lacking", "A passwordless login is allowed", "A login with a password is allowed", Rival},
	{"lacking", "A passwordless login is allowed", "A rootless login is allowed", CheckSubstitution},

	{"wornIn", "The man wearing a helmet is waiting", "The man in the helmet is waiting", Join},
	{"wornWith", "The man wearing a helmet is waiting", "The man with the helmet is waiting", Join},
	{"wornWith", "The man in the helmet is waiting", "The man with the helmet is waiting", CheckRelation},
	{"wornIn", "The man not wearing a helmet is waiting", "The man in the helmet is waiting", Rival},

	{"passive", "Someone is moving the disk to a shelf", "The disk is being moved to a shelf", Join},
	{"passive", "Somebody is migrating the database", "The database is being migrated", Join},
	{"passive", "Someone is moving the disk to a shelf", "The disk is moved to a shelf", CheckTense},
	{"passive", "A man is moving the disk", "The disk is being moved", CheckTense},
	{"passive", "Nobody is moving the disk", "The disk is being moved", CheckTense},
	{"passive", "Someone is moving the disk", "The disk is being wiped", CheckSubstitution},
	{"isPlace", "The band is playing on a stage", "The band is playing onstage", Join},
	{"isPlace", "The host is on the line", "The host is online", CheckRelation},
	{"conjunctsSwapped", "Alice is testing and deploying the service", "Alice is deploying the service and testing", Join},
	{"conjunctsSwapped", "Alice is watching a log and calling Bob", "Alice is calling Bob and watching a log", Join},
	{"conjunctsSwapped", "Alice tests the service and calls Bob", "Alice calls Bob and tests the service", CheckOrder},
	{"conjunctsSwapped", "Alice is watching Bob and calling Carol", "Alice is watching Carol and calling Bob", CheckOrder},
	{"conjunctsSwapped", "Alice is not testing and deploying the service", "Alice is deploying the service and not testing", CheckOrder},
	{"adjectives", "The latest stable host is up", "The stable latest host is up", CheckOrder},
	{"conjuncts", "The man plays the violin and sings", "The man plays and sings the violin", CheckOrder},
	{"conjuncts", "The servers and the disks are new", "The disks and the servers are new", Join},

	{"activeVoice", "A ticket is being closed by an engineer who is calling a customer", "An engineer is closing a ticket and calling a customer", Join},
	{"activeVoice", "A ticket is being closed by engineers calling a customer", "Engineers are closing a ticket and calling a customer", Join},
	{"activeVoice", "A test is being run by jobs checking disks", "Jobs are running a test checking disks", CheckSubstitution},
	{"activeVoice", "The model is trained by the nightly training job", "The nightly training job trains the model", Join},
	{"activeVoice", "A test is being run by a job that checks disks", "A job is running a test that checks disks", CheckSubstitution},
	{"activeVoice", "The disk is wiped by the job and the script", "The job wipes the disk and the script", CheckOrder},

	{"openGenitive", "The lens of some cameras is dirty", "Some cameras' lens is dirty", Join},

	{"grouped", "A group of servers is restarting", "Some servers are restarting", Join},
	{"grouped", "A group of servers is restarting", "Servers are restarting", Join},
	{"grouped", "A group of servers is restarting", "The group of servers is restarting", Join},
	{"grouped", "A group of servers is restarting", "The servers are restarting", CheckAddition},
	{"grouped", "A group of servers needs a patch", "Servers need a patch", CheckPlural},
	{"some", "Some servers are restarting", "The servers are restarting", CheckQuantifier},
	{"some", "Some web servers are restarting", "The web servers are restarting", CheckQuantifier},

	{"person", "A man is waiting", "A person is waiting", Join},
	{"person", "A woman is waiting", "A person is waiting", CheckSubstitution},
	{"person", "An engineer is waiting", "A person is waiting", CheckSubstitution},
	{"plural", "A walk in the woods", "A walk in the wood", Join},
	{"plural", "The logs are full", "The log is full", CheckPlural},

	// A general word is no synonym: what is said of routers is not said of devices.
	{"kind", "The router is down", "The device is down", CheckSubstitution},
	{"kind", "The server restarts at night", "The machine restarts at night", CheckSubstitution},
	{"kind", "Alice disabled the alert", "Alice changed the alert", CheckSubstitution},
	{"kind", "The job uploads the file", "The job transfers the file", CheckSubstitution},
	{"kind", "The tokens are encrypted", "The tokens are encoded", CheckSubstitution},
	{"kind", "The replica is stale", "The copy is stale", CheckSubstitution},
	{"kind", "The database is slow", "The store is slow", CheckSubstitution},
	{"kind", "Bob restarted the queue", "Bob stopped the queue", CheckSubstitution},

	{"pair", "A pair of replicas is lagging", "Two replicas are lagging", Join},

	{"pair", "A pair of replicas is lagging", "Three replicas are lagging", CheckNumber},
}

func TestStructures(t *testing.T) {
	for _, c := range structures {
		a, b := Read(c.a), Read(c.b)
		if got := Judge(a, b); got != c.want {
			t.Errorf("%s: %q, %q: %s, want %s: %+v", c.rule, c.a, c.b, got, c.want, refusals(a, b))
		}
		if got, back := Judge(a, b), Judge(b, a); got != back {
			t.Errorf("%s: %q, %q: %s one way, %s the other", c.rule, c.a, c.b, got, back)
		}
		if c.want == Join && a.Signature() != b.Signature() {
			t.Errorf("%s: %q, %q: their signatures differ", c.rule, c.a, c.b)
		}
	}
}
